import { ACTION_NAMES, type Action, type Step } from './workflow.schema.ts';

/** Where a run stands: a JSON pointer into the steps of its version, `/4/then/0`. */
export type Place = string;

export const FIRST: Place = '/0';

/** The step at a place; undefined where the list it would be in has ended. */
export function stepAt(steps: readonly Step[], place: Place): Step | undefined {
  let found: any = steps;
  for (const token of place.split('/').slice(1)) {
    found = found?.[token];
  }
  return found as Step | undefined;
}

/** What follows the step at a place: the next of its list, else what follows the step around it. */
export function placeAfter(steps: readonly Step[], place: Place): Place | undefined {
  const tokens = place.split('/');
  const next = [...tokens.slice(0, -1), Number(tokens.at(-1)) + 1].join('/');
  if (stepAt(steps, next)) {
    return next;
  }
  const around = tokens.slice(0, -2).join('/');
  return around === '' ? undefined : placeAfter(steps, around);
}

/** The first step of a branch, else what follows the step that branches. */
export const placeInto = (
  steps: readonly Step[],
  place: Place,
  branch: 'then' | 'else',
): Place | undefined => {
  const inside = `${place}/${branch}/0`;
  return stepAt(steps, inside) ? inside : placeAfter(steps, place);
};

export const actionOf = (step: Step): Action =>
  ACTION_NAMES.find((name) => step[name] !== undefined) ?? 'end';

/** Every step with its place, from the outside in. */
export const everyStep = (
  steps: readonly Step[],
  within: Place = '',
): readonly { readonly place: Place; readonly step: Step }[] =>
  steps.flatMap((step, index) => {
    const place = `${within}/${index}`;
    return [
      { place, step },
      ...everyStep(step.then ?? [], `${place}/then`),
      ...everyStep(step.else ?? [], `${place}/else`),
    ];
  });

/** The events that some step is a goal for. */
export const goalsOf = (steps: readonly Step[]): string[] => [
  ...new Set(everyStep(steps).flatMap(({ step }) => step.goal?.event ?? [])),
];
