import type { Changes } from './value-changes.tsx';

type Change = Changes[string];

/** Items of lists are told apart by the first of these that all of them have. */
const IDENTIFYING = ['key', 'name', 'slug', 'date', 'member'] as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns the innermost values that differ, by their path: `types/checkup/duration`. */
export const changedValues = (changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).flatMap(([field, change]) => leaves(field, change)));

function leaves(at: string, { from, to }: Change): (readonly [string, Change])[] {
  const before = membersOf(from);
  const after = membersOf(to);
  if (!before || !after) {
    return [[at, { from, to }]];
  }
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const found = names
    .filter((name) => !isSame(before.get(name), after.get(name)))
    .flatMap((name) =>
      leaves(`${at}/${name}`, { from: before.get(name) ?? null, to: after.get(name) ?? null }),
    );
  return found.length > 0 ? found : [[at, { from, to }]];
}

/** Returns the members of an object or of a list of objects; an empty list has none. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isRecord(value)) {
    return new Map(Object.entries(value));
  }
  if (!Array.isArray(value) || !value.every(isRecord)) {
    return undefined;
  }
  const by = IDENTIFYING.find((name) => value.every((item) => typeof item[name] === 'string'));
  return new Map(value.map((item, index) => [by ? String(item[by]) : String(index), item]));
}

/** Returns the paths of what an entry loses: values that end without another in their place. */
export const lossesIn = (changes: Changes): readonly string[] =>
  Object.entries(changedValues(changes))
    .filter(([, { from, to }]) => !isEmpty(from) && isEmpty(to))
    .map(([path]) => path);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);
