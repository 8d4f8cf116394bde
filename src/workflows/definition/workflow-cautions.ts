import type { EventType } from '#core/event.ts';
import { didYouMean, mostSimilar } from '#core/schema/did-you-mean.ts';
import type { Work } from '#core/work.ts';
import { unknownFieldsIn } from '#lib/merge-fields.ts';
import {
  CONTACT_FIELDS,
  emptyField,
  firstCautions,
  mergeFieldCautions,
  nameOf,
} from '../../contacts/merge-field-cautions.ts';
import { dataNames, hasPath, hasValue, shownName } from './data-names.ts';
import { everyStep } from './places.ts';
import { GOAL, type Step, type Trigger } from './workflow.schema.ts';

interface CheckedWorkflow {
  readonly slug: string;
  readonly triggers: readonly Trigger[];
  readonly steps: readonly Step[];
}

/** What `where` may name besides the data of an event; the tags are those of the contact. */
const OF_EVERY_EVENT = ['contactId', 'tags'];

/** Returns a warning for each name in `where` that the event of the trigger never has. */
export function whereCautions(
  { slug, triggers }: CheckedWorkflow,
  events: readonly EventType[],
): readonly string[] {
  return triggers.flatMap(({ on, where = {} }, index) => {
    const event = events.find(({ name }) => name === on);
    if (!event) {
      return [];
    }
    const known = [...new Set([...Object.keys(event.data.properties), ...OF_EVERY_EVENT])];
    return Object.keys(where)
      .filter((path) => !known.includes(path.split('.')[0] ?? ''))
      .map((path) => {
        const hint = didYouMean(path, known) || `; it has ${known.join(', ')}`;
        return `${slug}: /triggers/${index}/where names ${path}, which ${on} does not have, so the trigger starts no runs${hint}`;
      });
  });
}

/** Returns a warning for each merge field of the steps that is always empty, except for data. */
export const stepCautions = (
  work: Work,
  { slug, steps }: CheckedWorkflow,
): Promise<readonly string[]> =>
  mergeFieldCautions(work, {
    entry: slug,
    texts: textsIn(steps),
    fields: [CONTACT_ID],
    openPrefix: DATA,
  });

const CONTACT_ID = 'contactId';
const DATA = 'data.';
const NOT_PROVIDED = 'no trigger of the workflow provides';

/** Returns a warning for each merge field of the steps that no trigger fills, or that is not replaced. */
export const textCautions = (
  workflow: CheckedWorkflow,
  events: readonly EventType[],
): readonly string[] => [
  ...dataCautions(workflow, events),
  ...goalCautions(workflow),
  ...literalCautions(workflow),
];

/** Returns a warning for each `if` on the outcome of a goal in a workflow without a goal. */
function goalCautions({ slug, steps }: CheckedWorkflow): readonly string[] {
  const all = everyStep(steps);
  return all.some(({ step }) => step.goal)
    ? []
    : all
        .filter(({ step }) => step.if?.field === GOAL)
        .map(
          ({ place }) =>
            `${slug}: /steps${place}/if/field names ${GOAL}, but the workflow has no goal step, so it is always empty`,
        );
}

/** Returns a warning for each `data.NAME`, in a text or an `if`, that no trigger can provide. */
function dataCautions(
  { slug, triggers, steps }: CheckedWorkflow,
  events: readonly EventType[],
): readonly string[] {
  const names = dataNames(triggers, events);
  const inTexts = Object.entries(textsIn(steps)).flatMap(([path, text]) =>
    unknownFieldsIn([text ?? ''], {}).flatMap((field) => {
      const [name] = dataNameOf(nameOf(field));
      return name === undefined || hasValue(names, name)
        ? []
        : () => {
            const similar = similarTo(name, names, [...CONTACT_FIELDS, CONTACT_ID]);
            const hint = similar ? `; did you mean {{${similar}}}?` : listOf(names);
            return `${slug}: ${path} has ${emptyField(field, NOT_PROVIDED)}${hint}`;
          };
    }),
  );
  const inConditions = everyStep(steps).flatMap(({ place, step }) =>
    dataNameOf(step.if?.field ?? '')
      .filter((name) => !hasPath(names, name))
      .map((name) => {
        const similar = similarTo(name, names, CONTACT_FIELDS);
        const hint = similar ? `; did you mean ${JSON.stringify(similar)}?` : listOf(names);
        return `${slug}: /steps${place}/if/field names ${DATA}${name}, which ${NOT_PROVIDED}, so it is always empty${hint}`;
      }),
  );
  return [...firstCautions(slug, inTexts), ...inConditions];
}

/** Returns a warning for each text with merge fields that a step stores as it is written. */
const literalCautions = ({ slug, steps }: CheckedWorkflow): readonly string[] =>
  everyStep(steps).flatMap(({ place, step: { addTag, removeTag, setField } }) =>
    Object.entries({
      '/addTag': addTag,
      '/removeTag': removeTag,
      '/setField/value': setField?.value,
    })
      .filter(([, text]) => typeof text === 'string' && unknownFieldsIn([text], {}).length > 0)
      .map(
        ([path, text]) =>
          `${slug}: /steps${place}${path} is ${JSON.stringify(text)}, but merge fields are not replaced there: it is stored as written`,
      ),
  );

/** Returns `NAME` of `data.NAME`, or nothing. */
const dataNameOf = (field: string): readonly string[] =>
  field.startsWith(DATA) ? [field.slice(DATA.length)] : [];

/** Returns the most similar name of the data, with its prefix, or of the contact. */
function similarTo(
  given: string,
  names: readonly string[],
  ofContact: readonly string[],
): string | undefined {
  const candidates = new Map([
    ...ofContact.map((name) => [name, name] as const),
    ...names.map((name) => shownName(name, given)).map((name) => [name, `${DATA}${name}`] as const),
  ]);
  return candidates.get(mostSimilar(given, candidates.keys()) ?? '');
}

const listOf = (names: readonly string[]): string =>
  names.length === 0
    ? '; the workflow has no triggers'
    : `; the triggers provide ${names.map((name) => shownName(name)).join(', ')}`;

/** Returns all texts of the steps by their JSON pointer below the workflow. */
const textsIn = (steps: readonly Step[]): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    everyStep(steps).flatMap(({ place, step }) =>
      textsOf(step).map(([path, text]) => [`/steps${place}${path}`, text]),
    ),
  );

/** Returns the texts of a step in which merge fields work, by their JSON pointer. */
const textsOf = ({ send, createTask, createOpportunity, notify, http }: Step) =>
  Object.entries({
    '/send/subject': send?.subject,
    '/send/body': send?.body,
    '/createTask/title': createTask?.title,
    '/createTask/description': createTask?.description,
    '/createOpportunity/name': createOpportunity?.name,
    '/notify/subject': notify?.subject,
    '/notify/body': notify?.body,
    '/http/url': http?.url,
    ...bodyTexts('/http/body', http?.body),
  });

function bodyTexts(path: string, body: unknown): Readonly<Record<string, string>> {
  if (typeof body === 'string') {
    return { [path]: body };
  }
  return typeof body === 'object' && body !== null
    ? Object.assign(
        {},
        ...Object.entries(body).map(([name, inner]) => bodyTexts(`${path}/${name}`, inner)),
      )
    : {};
}
