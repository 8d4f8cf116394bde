import { pointerToken } from '#core/fault.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Section } from '#core/section.ts';
import { slices } from '#lib/in-slices.ts';
import type { Work } from '#core/work.ts';
import type { Entry } from './entries.ts';
import { isRecord, type References } from './environment-references.ts';
import { tokensOf } from './json-pointer.ts';
import { movedAmong, sequenceOf } from './sequence.ts';
import {
  changedReferences,
  nextReferences,
  referencesOf,
  type StoredReferences,
  type IdMaps,
  type Stored,
} from './stored.ts';

interface Change {
  readonly key: string;
  /** The path of the entry in the file. */
  readonly path: string;
  readonly wanted: unknown;
  /** The changed fields; undefined for a new entry. */
  readonly fields: FieldChanges | undefined;
  /** Undefined if the stored references stay. */
  readonly references: References | undefined;
}

interface SkippedEntry {
  readonly key: string;
  readonly reason: string;
}

/** The changes that a section needs to match the manifest. */
export interface SectionPlan {
  readonly section: Section;
  readonly entries: readonly Entry[];
  readonly changes: readonly Change[];
  readonly unchanged: number;
  readonly removed: readonly string[];
  readonly skipped: readonly SkippedEntry[];
  readonly cautions: readonly string[];
}

/** What was planned and carried out. */
export interface Applied {
  readonly plans: readonly SectionPlan[];
  readonly stored: Stored;
  readonly idsBefore: IdMaps;
  readonly cautions: readonly string[];
}

const ORDER = 'order';

/** The stored rows and references of a section. */
interface StoredSection {
  readonly rows: ReadonlyMap<string, unknown>;
  readonly references: StoredReferences;
}

/** Plans a section from its valid entries. */
export async function planSection(
  work: Work,
  section: Section,
  entries: readonly Entry[],
  { rows, references }: StoredSection,
  prune: boolean,
): Promise<SectionPlan> {
  const named = new Set(entries.map(({ key }) => key));
  const places = placesOf(section, [...rows.keys()], [...named]);
  const changes: Change[] = [];
  const skipped: SkippedEntry[] = [];
  const cautions: string[] = [];
  const slice = slices(work.subAccountId);
  for (const entry of entries) {
    await slice();
    const { key } = entry;
    const row = rows.get(key);
    const reason = entry.isSound ? await section.skip?.(work, entry.value, row) : undefined;
    if (reason !== undefined) {
      skipped.push({ key, reason });
    }
    if (reason !== undefined || !entry.isSound) {
      continue;
    }
    const stored: unknown = rows.has(key) ? section.valueOf(row) : undefined;
    const change = changeOf(section, entry, stored, referencesOf(references, section.name, key));
    const fields = change.fields && { ...change.fields, ...places(key) };
    if (!fields || Object.keys(fields).length > 0) {
      changes.push({ ...change, fields });
      cautions.push(...(fields ? (section.cautions?.(stored, change.wanted) ?? []) : []));
    }
  }
  const prunes = prune && section.remove !== undefined;
  return {
    section,
    entries,
    changes,
    unchanged: entries.length - changes.length - skipped.length,
    removed: prunes ? [...rows.keys()].filter((key) => !named.has(key)) : [],
    skipped,
    cautions: [
      ...cautions,
      ...skipped.map(({ key, reason }) => `${key} is skipped: ${reason}`),
    ].map((caution) => `${section.name}: ${caution}`),
  };
}

function changeOf(
  section: Section,
  { key, path, value: given, references }: Entry,
  stored: unknown,
  storedReferences: References,
): Change {
  const wanted: unknown = section.complete(given, stored);
  if (stored === undefined) {
    const fresh = changedReferences(storedReferences, references).length > 0;
    return { key, path, wanted, fields: undefined, references: fresh ? references : undefined };
  }
  const next = nextReferences({ given, references, stored, storedReferences, wanted });
  const fields = fieldChanges(
    section,
    { value: stored, references: storedReferences },
    { value: wanted, references: next },
  );
  const isSame = changedReferences(storedReferences, next).length === 0;
  return { key, path, wanted, fields, references: isSame ? undefined : next };
}

/** Returns a function for the change of place of a stored entry, counted from 1; empty if order does not matter. */
function placesOf(section: Section, stored: readonly string[], named: readonly string[]) {
  const moved = section.place ? movedAmong(stored, named) : new Set<string>();
  const [before, after] = moved.size > 0 ? [stored, sequenceOf(stored, named)].map(placesIn) : [];
  return (key: string): FieldChanges =>
    moved.has(key) ? { [ORDER]: { from: before?.get(key), to: after?.get(key) } } : {};
}

const placesIn = (keys: readonly string[]): ReadonlyMap<string, number> =>
  new Map(keys.map((key, index) => [key, index + 1]));

/** A field before and after; secrets are masked. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** Replaces secrets in plans and outcomes. */
const MASK = '***';

/** The name of the only field of an entry that is not an object. */
const WHOLE = 'value';

/** One state of an entry: its whole value, and the references in it. */
interface EntryState {
  readonly value: unknown;
  readonly references: References;
}

/** Returns the fields in which two states of an entry differ. */
function fieldChanges(section: Section, before: EntryState, after: EntryState) {
  const referring = changedReferences(before.references, after.references).map(fieldOf);
  const fields = [...new Set([...differences(before.value, after.value), ...referring])];
  const shown = (state: EntryState, field: string) =>
    masked(section, state, field === WHOLE ? '' : `/${pointerToken(field)}`);
  return Object.fromEntries(
    fields.map((field) => [field, { from: shown(before, field), to: shown(after, field) }]),
  );
}

const fieldOf = (path: string): string => tokensOf(path)[0] ?? WHOLE;

function differences(before: unknown, after: unknown): string[] {
  if (isRecord(before) && isRecord(after)) {
    return Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  }
  return isDeepStrictEqual(before, after) ? [] : [WHOLE];
}

/** Returns the part of a state at a field, with references as they are written and secrets masked. */
function masked({ secrets }: Section, { value, references }: EntryState, field: string) {
  const mask = (held: unknown, path: string, isWithin: boolean): unknown => {
    const isSecret = isWithin || secrets?.test(path) === true;
    const reference = references.get(path);
    if (reference !== undefined) {
      return reference;
    }
    if (Array.isArray(held)) {
      return held.map((item, index) => mask(item, `${path}/${index}`, isSecret));
    }
    if (isRecord(held)) {
      return Object.fromEntries(
        Object.entries(held).map(([name, inner]) => [
          name,
          mask(inner, `${path}/${pointerToken(name)}`, isSecret),
        ]),
      );
    }
    return isSecret && held !== null ? MASK : (held ?? null);
  };
  const [name] = tokensOf(field);
  const held = name === undefined ? value : isRecord(value) ? value[name] : undefined;
  return mask(held, field, false);
}
