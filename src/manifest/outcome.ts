import { isDeepStrictEqual } from 'node:util';
import type { Section } from '#core/section.ts';
import { isRecord } from './environment-references.ts';
import type { Applied, FieldChanges, FieldChange } from './plan.ts';
import { idMapsOf, rowsOf, type IdMaps } from './stored.ts';

/** An entry in outcomes and plans. */
interface Named {
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
  /** Entries that cannot be applied now, with the reason. */
  readonly skipped: readonly (Named & { readonly reason: string })[];
  readonly ids: IdMaps;
}

/** Returns the changes, and the ids of all entries afterwards. A plan has no ids of new entries. */
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

const VALUE_MAX = 60;

/** Returns an outcome, or a plan, for a terminal: a line for each entry and each value that differs. */
export function describeOutcome(outcome: Outcome, isPlan: boolean): string {
  const { created, updated, removed, skipped, unchanged } = outcome;
  const verbs = isPlan ? PLANNED : DONE;
  return [
    ...created.map((entry) => `${verbs.created} ${nameOf(entry)}`),
    ...updated.flatMap((entry) => [
      `${verbs.updated} ${nameOf(entry)}: ${entry.fields.join(', ')}`,
      ...linesOf(entry.changes),
    ]),
    ...removed.map((entry) => `${verbs.removed} ${nameOf(entry)}`),
    ...skipped.map((entry) => `${verbs.skipped} ${nameOf(entry)}: ${entry.reason}`),
    `${unchanged} unchanged`,
  ].join('\n');
}

const DONE = { created: 'created', updated: 'updated', removed: 'removed', skipped: 'skipped' };
const PLANNED = {
  created: 'would create',
  updated: 'would update',
  removed: 'would remove',
  skipped: 'would skip',
};

/** Settings are a section of one entry, called like it. */
export const nameOf = ({ section, key }: Named): string =>
  section === key ? section : `${section} ${key}`;

function linesOf(changes: FieldChanges): string[] {
  return Object.entries(changes)
    .flatMap(([field, change]) => leavesOf(field, change))
    .map(([at, { from, to }]) =>
      isDeepStrictEqual(from, to)
        ? `    ${at}: a secret has a new value, which is not shown`
        : `    ${at}: ${shown(from)} → ${shown(to)}`,
    );
}

type Leaf = readonly [at: string, change: FieldChange];

/** Splits a change into the innermost values that differ; items of lists are told apart by their key. */
export function leavesOf(at: string, { from, to }: FieldChange): Leaf[] {
  const before = membersOf(from);
  const after = membersOf(to);
  if (!before || !after) {
    return [[at, { from, to }]];
  }
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const leaves = names
    .filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)))
    .flatMap((name) =>
      leavesOf(`${at}/${name}`, { from: before.get(name) ?? null, to: after.get(name) ?? null }),
    );
  return leaves.length > 0 ? leaves : [[at, { from, to }]];
}

const IDENTIFYING = ['key', 'name', 'slug', 'date', 'member'] as const;

function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isRecord(value)) {
    return new Map(Object.entries(value));
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) {
    return undefined;
  }
  const by = IDENTIFYING.find((name) => value.every((item) => typeof item[name] === 'string'));
  return new Map(value.map((item, index) => [by ? String(item[by]) : String(index), item]));
}

/** JSON on one line, without control characters that would affect the terminal. */
function shown(value: unknown): string {
  const text = value === null || value === undefined ? '–' : JSON.stringify(value);
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
  return plain.length > VALUE_MAX
    ? `${Array.from(plain)
        .slice(0, VALUE_MAX - 1)
        .join('')}…`
    : plain;
}
