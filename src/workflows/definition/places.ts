import { ACTION_NAMES, type Action, type Step } from './workflow.schema.ts';

/** The position of a step as a JSON pointer into the steps of a version, such as `/4/then/0`. */
export type Place = string;

export const FIRST: Place = '/0';

/** Returns the number of a step for people, counted from 1: `5`, and `5.then.1` for its first inner step. */
export const numberOf = (place: Place): string =>
  place
    .split('/')
    .slice(1)
    .map((token) => (/^\d+$/.test(token) ? Number(token) + 1 : token))
    .join('.');

/** Returns the step at a place, or undefined past the end of a list. */
export function stepAt(steps: readonly Step[], place: Place): Step | undefined {
  let found: any = steps;
  for (const token of place.split('/').slice(1)) {
    found = found?.[token];
  }
  return found as Step | undefined;
}

/** Returns the place after a step: the next one of its list, or the one after the enclosing step. */
export function placeAfter(steps: readonly Step[], place: Place): Place | undefined {
  const tokens = place.split('/');
  const next = [...tokens.slice(0, -1), Number(tokens.at(-1)) + 1].join('/');
  if (stepAt(steps, next)) {
    return next;
  }
  const around = tokens.slice(0, -2).join('/');
  return around === '' ? undefined : placeAfter(steps, around);
}

/** Returns the first place of a branch; for an empty branch, the place after the step. */
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

/** Returns every step with its place, including nested ones. */
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

/** Returns the names of the events that steps wait for. */
export const goalsOf = (steps: readonly Step[]): string[] => [
  ...new Set(everyStep(steps).flatMap(({ step }) => step.goal?.event ?? [])),
];
