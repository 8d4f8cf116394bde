import { isDeepStrictEqual } from 'node:util';
import type { Misfit, Section } from '#kit/section.ts';
import { foldKey, type Entry } from './entries.ts';
import { isRecord } from './environment-references.ts';
import { movedAmong } from './sequence.ts';
import type { Stored } from './stored.ts';

interface Change {
  readonly key: string;
  readonly wanted: unknown;
  /** What differs; nothing for an entry that is not stored yet. */
  readonly fields: readonly string[] | undefined;
}

/** What it takes to make a section as the manifest says. */
export interface SectionPlan {
  readonly section: Section;
  readonly entries: readonly Entry[];
  readonly changes: readonly Change[];
  readonly unchanged: number;
  readonly removed: readonly string[];
  readonly cautions: readonly string[];
}

const ORDER = 'order';

export function planSection(
  section: Section,
  entries: readonly Entry[],
  rows: ReadonlyMap<string, unknown>,
  prune: boolean,
): SectionPlan {
  const named = new Set(entries.map(({ key }) => key));
  const moved = section.place ? movedAmong([...rows.keys()], [...named]) : new Set<string>();
  const changes: Change[] = [];
  const cautions: string[] = [];
  for (const { key, value } of entries) {
    const stored: unknown = rows.has(key) ? section.valueOf(rows.get(key)) : undefined;
    const wanted: unknown = section.complete(value, stored);
    if (stored === undefined) {
      changes.push({ key, wanted, fields: undefined });
      continue;
    }
    const fields = [...differences(stored, wanted), ...(moved.has(key) ? [ORDER] : [])];
    if (fields.length > 0) {
      changes.push({ key, wanted, fields });
      cautions.push(...(section.cautions?.(stored, wanted) ?? []));
    }
  }
  const prunes = prune && section.remove !== undefined;
  return {
    section,
    entries,
    changes,
    unchanged: entries.length - changes.length,
    removed: prunes ? [...rows.keys()].filter((key) => !named.has(key)) : [],
    cautions: cautions.map((caution) => `${section.name}: ${caution}`),
  };
}

function differences(stored: unknown, wanted: unknown): string[] {
  if (isRecord(stored) && isRecord(wanted)) {
    return Object.keys(wanted).filter((name) => !isDeepStrictEqual(stored[name], wanted[name]));
  }
  return isDeepStrictEqual(stored, wanted) ? [] : ['value'];
}

/** What is wrong with a manifest in view of what is stored and will stay so. */
export function misfitsOf(plans: readonly SectionPlan[], stored: Stored): readonly Misfit[] {
  const there = new Map(
    plans.map(({ section, entries, removed }) => {
      const keys = new Set(stored.get(section)?.keys());
      removed.forEach((key) => keys.delete(key));
      entries.forEach(({ key }) => keys.add(key));
      return [section.name, keys];
    }),
  );
  return plans.flatMap((plan) => [
    ...nearMissesIn(plan, stored.get(plan.section) ?? new Map()),
    ...unknownReferencesIn(plan, there),
  ]);
}

/** `Anna` beside a stored `anna` is a slip, and a rename would lose what hangs on the old key. */
function nearMissesIn(
  { section, entries }: SectionPlan,
  rows: ReadonlyMap<string, unknown>,
): readonly Misfit[] {
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

function unknownReferencesIn(
  { section, entries }: SectionPlan,
  there: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Misfit[] {
  return entries.flatMap(({ value, path: at }) =>
    (section.references?.(value) ?? []).flatMap(({ section: name, key, path }) =>
      there.get(name)?.has(key)
        ? []
        : [{ path: at + path, message: `names ${key}, which ${name} does not have` }],
    ),
  );
}
