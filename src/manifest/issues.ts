import { ISSUES_MAX } from '#core/fault.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import type { EntryIssue, Section } from '#core/section.ts';
import { foldKey, type Entry } from './entries.ts';
import type { SectionPlan } from './plan.ts';
import type { Stored } from './stored.ts';

/** The keys after applying the manifest, by section or nested map of ids. */
type KeysAfter = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the issues of a manifest with the stored entries. */
export function issuesOf(plans: readonly SectionPlan[], stored: Stored): readonly EntryIssue[] {
  const known = keysAfter(plans, stored);
  const issues: EntryIssue[] = [];
  for (const plan of plans) {
    const rows = stored.get(plan.section) ?? new Map<string, unknown>();
    issues.push(...nearMissesIn(plan, rows), ...nestedNearMissesIn(plan, rows));
    for (const entry of plan.entries) {
      // Comparing thousands of keys with each other would block the process for minutes.
      const hint = issues.length < ISSUES_MAX ? hintFor : () => '';
      issues.push(...unknownReferencesOf(plan, entry, known, hint));
    }
  }
  return issues;
}

function keysAfter(plans: readonly SectionPlan[], stored: Stored): KeysAfter {
  const after = new Map<string, Set<string>>();
  const add = (name: string, keys: Iterable<string>) => {
    const known = after.get(name) ?? new Set();
    after.set(name, known);
    for (const key of keys) {
      known.add(key);
    }
  };
  for (const { section, entries, changes, removed } of plans) {
    const rows = stored.get(section) ?? new Map<string, unknown>();
    const isRemoved = new Set(removed);
    const staying = [...rows.keys()].filter((key) => !isRemoved.has(key));
    add(section.name, [...staying, ...entries.map(({ key }) => key)]);
    const changing = new Map(changes.map(({ key, wanted }) => [key, wanted]));
    const values = [
      ...staying.filter((key) => !changing.has(key)).map((key) => section.valueOf(rows.get(key))),
      ...changing.values(),
    ];
    for (const value of section.nestedKeysOf ? values : []) {
      for (const [name, keys] of Object.entries(section.nestedKeysOf?.(value) ?? {})) {
        add(name, keys);
      }
    }
  }
  return after;
}

/** `Anna` for a stored `anna` is a mistake: a rename would lose what refers to the old key. */
function nearMissesIn(
  { section, entries }: SectionPlan,
  rows: ReadonlyMap<string, unknown>,
): readonly EntryIssue[] {
  const otherSpelling = spellingOf(rows.keys());
  return entries.flatMap(({ key, path }) =>
    nearMiss(otherSpelling(key), section.match === 'member' ? path : `${path}/${section.match}`),
  );
}

/** The same for the types of a calendar and the stages of a pipeline, which would get new ids. */
function nestedNearMissesIn(
  { section, entries }: SectionPlan,
  rows: ReadonlyMap<string, unknown>,
): readonly EntryIssue[] {
  const { nested } = section;
  return entries.flatMap(({ key, path, checked }) => {
    if (nested === undefined || checked === undefined || !rows.has(key)) {
      return [];
    }
    const otherSpelling = spellingOf(keysIn(section.valueOf(rows.get(key)), nested));
    return keysIn(checked, nested).flatMap((one, index) =>
      nearMiss(otherSpelling(one), `${path}/${nested}/${index}/key`),
    );
  });
}

type Lists = { readonly [list in Nested]?: readonly { readonly key: string }[] } | null;
type Nested = NonNullable<Section['nested']>;

const keysIn = (entry: Lists, nested: Nested): readonly string[] =>
  (entry?.[nested] ?? []).map(({ key }) => key);

/** Returns a function that finds the stored key which differs from a key in case only. */
function spellingOf(stored: Iterable<string>): (key: string) => string | undefined {
  const keys = new Set(stored);
  const spelling = new Map([...keys].map((key) => [foldKey(key), key]));
  return (key) => (keys.has(key) ? undefined : spelling.get(foldKey(key)));
}

const nearMiss = (other: string | undefined, path: string): readonly EntryIssue[] =>
  other === undefined
    ? []
    : [
        {
          path,
          message: `differs only in case from the stored ${other}; use ${other}, because keys cannot change their case`,
        },
      ];

function unknownReferencesOf(
  { section }: SectionPlan,
  { checked, path: at, hasIssue }: Entry,
  known: KeysAfter,
  hint: typeof hintFor,
): readonly EntryIssue[] {
  if (checked === undefined) {
    return [];
  }
  return (section.references?.(checked) ?? [])
    .filter(({ section: name, key, path }) => !known.get(name)?.has(key) && !hasIssue(at + path))
    .map(({ section: name, key, path, message = `names ${key}, which ${name} does not have` }) => ({
      path: at + path,
      message: message + hint(key, [...(known.get(name) ?? [])]),
    }));
}

/** The most keys that a message lists. */
const LISTED_MAX = 10;

/** Returns the keys that exist, and the most similar one; of `sales/new`, those of `sales`. */
function hintFor(key: string, known: readonly string[]): string {
  const similar = didYouMean(key, known);
  const parent = key.slice(0, key.lastIndexOf('/') + 1);
  const keys = known.filter((one) => one.startsWith(parent)).map((one) => one.slice(parent.length));
  if (keys.length === 0) {
    return similar;
  }
  const more = keys.length > LISTED_MAX ? ` and ${keys.length - LISTED_MAX} more` : '';
  return `; it has ${keys.slice(0, LISTED_MAX).join(', ')}${more}${similar}`;
}
