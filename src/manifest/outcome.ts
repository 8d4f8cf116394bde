import type { Section } from '#core/section.ts';
import type { Applied } from './apply-manifest.ts';
import type { FieldChanges } from './field-changes.ts';
import { idMapsOf, rowsOf, type IdMaps } from './stored.ts';

/** An entry, as outcomes and plans call it. */
export interface Named {
  readonly section: string;
  readonly key: string;
}

export interface Outcome {
  readonly created: readonly Named[];
  readonly updated: readonly (Named & {
    readonly fields: readonly string[];
    readonly changes: FieldChanges;
  })[];
  readonly unchanged: number;
  readonly removed: readonly Named[];
  /** Entries that cannot be applied now, and why. */
  readonly skipped: readonly (Named & { readonly reason: string })[];
  readonly ids: IdMaps;
}

/**
 * Returns what applying a manifest did, with the ids of everything that is stored afterwards. A plan has
 * no ids of what it would create.
 */
export function outcomeOf({ plans, stored, idsBefore }: Applied, isPlan: boolean): Outcome {
  const named = (section: Section, key: string): Named => ({ section: section.name, key });
  for (const { section, removed } of plans) {
    removed.forEach((key) => rowsOf(stored, section).delete(key));
  }
  return {
    created: plans.flatMap(({ section, changes }) =>
      changes.filter(({ fields }) => !fields).map(({ key }) => named(section, key)),
    ),
    updated: plans.flatMap(({ section, changes }) =>
      changes.flatMap(({ key, fields }) =>
        fields ? [{ ...named(section, key), fields: Object.keys(fields), changes: fields }] : [],
      ),
    ),
    unchanged: plans.reduce((sum, { unchanged }) => sum + unchanged, 0),
    removed: plans
      .toReversed()
      .flatMap(({ section, removed }) => removed.map((key) => named(section, key))),
    skipped: plans.flatMap(({ section, skipped }) =>
      skipped.map(({ key, reason }) => ({ ...named(section, key), reason })),
    ),
    ids: isPlan ? commonIds(idMapsOf(stored), idsBefore) : idMapsOf(stored),
  };
}

const commonIds = (after: IdMaps, before: IdMaps): IdMaps =>
  Object.fromEntries(
    Object.entries(after).map(([name, ids]) => [
      name,
      Object.fromEntries(Object.entries(ids).filter(([key, id]) => before[name]?.[key] === id)),
    ]),
  );
