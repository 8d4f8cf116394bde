import type { EventType } from '#core/event.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import type { Work } from '#core/work.ts';
import { mergeFieldCautions } from '../../contacts/merge-field-cautions.ts';
import { everyStep } from './places.ts';
import type { Step, Trigger } from './workflow.schema.ts';

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

/** Returns a warning for each merge field of the steps that is always empty. */
export const stepCautions = (
  work: Work,
  { slug, steps }: CheckedWorkflow,
): Promise<readonly string[]> =>
  mergeFieldCautions(work, {
    entry: slug,
    texts: Object.fromEntries(
      everyStep(steps).flatMap(({ place, step }) =>
        textsOf(step).map(([path, text]) => [`/steps${place}${path}`, text]),
      ),
    ),
    fields: ['contactId'],
    openPrefix: 'data.',
  });

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
