import type { EventType } from '#core/event.ts';
import { INBOUND, type Trigger } from './workflow.schema.ts';

/** Any name, at the end of a path: the names of a call's data, or of a form's fields. */
const ANY = '*';

/** The tags of the contact, which are stored with every event. */
const TAGS = 'tags';

/**
 * Returns the names that the data of a run can have: `startTime`, `fields.*`, or `*` if calls start
 * the workflow. The data is that of the trigger: goals and other steps add nothing to it, and
 * `admin workflow test` starts a run without data.
 */
export const dataNames = (
  triggers: readonly Trigger[],
  events: readonly EventType[],
): readonly string[] => [...new Set(triggers.flatMap(({ on }) => namesOf(on, events)))];

function namesOf(on: string, events: readonly EventType[]): readonly string[] {
  const event = on === INBOUND ? undefined : events.find(({ name }) => name === on);
  return event ? [...namesIn(event.data), TAGS] : [ANY];
}

interface DataSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly anyOf?: readonly DataSchema[];
}

/** Returns the paths of the values, like `runValues`: a list is one value, an object one per member. */
function namesIn({ type, properties, anyOf }: DataSchema, path = ''): readonly string[] {
  if (properties) {
    const within = path === '' ? '' : `${path}.`;
    return Object.entries(properties).flatMap(([name, one]) => namesIn(one, `${within}${name}`));
  }
  if (anyOf) {
    return anyOf.flatMap((one) => namesIn(one, path));
  }
  const types = [type ?? []].flat();
  const isObject = types.length === 0 || types.includes('object');
  const isValue = types.some((one) => one !== 'object') || types.length === 0;
  return [...(isValue ? [path] : []), ...(isObject ? [`${path}.${ANY}`] : [])];
}

/** Returns whether one of the names is the name of a value. */
export const hasValue = (names: readonly string[], name: string): boolean =>
  names.some((one) => (one.endsWith(ANY) ? name.startsWith(one.slice(0, -1)) : one === name));

/** Returns whether a condition on the name can find something: a member of a list, a whole object. */
export const hasPath = (names: readonly string[], name: string): boolean =>
  names.some((one) => one === ANY || firstPart(one) === firstPart(name));

const firstPart = (name: string): string => name.split('.')[0] ?? '';

/** Returns a name for a reader: `fields.email` or `fields.NAME` for `fields.*`. */
export function shownName(name: string, given = ''): string {
  const dot = given.indexOf('.');
  return name.replace(ANY, dot === -1 ? 'NAME' : given.slice(dot + 1));
}
