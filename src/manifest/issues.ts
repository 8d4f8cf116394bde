import { didYouMean } from '#core/schema/did-you-mean.ts';
import type { Issue } from '#core/section.ts';
import { foldKey, type Entry } from './entries.ts';
import type { SectionPlan } from './plan.ts';
import type { Stored } from './stored.ts';

/** The keys that will be stored once the manifest is applied, by section or nested map of ids. */
type KeysAfter = ReadonlyMap<string, ReadonlySet<string>>;

/** What is wrong with a manifest in view of what is stored and will stay so. */
export function issuesOf(plans: readonly SectionPlan[], stored: Stored): readonly Issue[] {
  const there = keysAfter(plans, stored);
  return plans.flatMap((plan) => [
    ...nearMissesIn(plan, stored.get(plan.section) ?? new Map()),
    ...plan.entries.flatMap((entry) => unknownReferencesOf(plan, entry, there)),
  ]);
}

function keysAfter(plans: readonly SectionPlan[], stored: Stored): KeysAfter {
  const there = new Map<string, Set<string>>();
  const add = (name: string, keys: Iterable<string>) => {
    const known = there.get(name) ?? new Set();
    there.set(name, known);
    for (const key of keys) {
      known.add(key);
    }
  };
  for (const { section, entries, changes, removed } of plans) {
    const rows = stored.get(section) ?? new Map<string, unknown>();
    const staying = [...rows.keys()].filter((key) => !removed.includes(key));
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
  return there;
}

/** `Anna` beside a stored `anna` is a slip, and a rename would lose what hangs on the old key. */
function nearMissesIn(
  { section, entries }: SectionPlan,
  rows: ReadonlyMap<string, unknown>,
): readonly Issue[] {
  const spelling = new Map([...rows.keys()].map((key) => [foldKey(key), key]));
  return entries.flatMap(({ key, path }) => {
    const other = spelling.get(foldKey(key));
    if (other === undefined || rows.has(key)) {
      return [];
    }
    const at = section.match === 'member' ? path : `${path}/${section.match}`;
    return [{ path: at, message: `is stored as ${other}; keys never change their case` }];
  });
}

function unknownReferencesOf(
  { section }: SectionPlan,
  { checked, path: at, violated }: Entry,
  there: KeysAfter,
): readonly Issue[] {
  if (checked === undefined) {
    return [];
  }
  return (section.references?.(checked) ?? [])
    .filter(({ section: name, key, path }) => !there.get(name)?.has(key) && !violated(at + path))
    .map(({ section: name, key, path, message = `names ${key}, which ${name} does not have` }) => ({
      path: at + path,
      message: message + didYouMean(key, there.get(name) ?? []),
    }));
}
