import { isDeepStrictEqual } from 'node:util';
import type { IdOf, Section, SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import type { References } from './environment-references.ts';
import { valueAt } from './json-pointer.ts';

/** The rows of each section by key, in their stored order. */
export type Stored = ReadonlyMap<Section, Map<string, unknown>>;

export async function loadStored(
  work: Work,
  sections: readonly Section[],
  tools: SectionTools,
): Promise<Stored> {
  const stored = new Map<Section, Map<string, unknown>>();
  for (const section of sections) {
    const rows = await section.load(work, tools);
    stored.set(section, new Map(rows.map((row) => [keyOf(section, row), row])));
  }
  return stored;
}

function keyOf(section: Section, row: unknown): string {
  const { match, name } = section;
  if (section.keyOf) {
    return section.keyOf(row);
  }
  return match === 'only' ? name : section.valueOf(row)[match];
}

export const idsIn =
  (stored: Stored): IdOf =>
  (name, key) => {
    for (const [section, rows] of stored) {
      if (section.name === name && section.idOf && rows.has(key)) {
        return section.idOf(rows.get(key));
      }
    }
    throw new Error(`no id of ${name} ${key}: a section may refer only to sections before it`);
  };

/** The ids for scripts: `{team: {anna: id}}`. */
export type IdMaps = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function idMapsOf(stored: Stored): IdMaps {
  const maps: Record<string, Record<string, string>> = {};
  const nested: Record<string, (readonly [string, string])[]> = {};
  for (const [section, rows] of stored) {
    if (section.idOf) {
      maps[section.name] = Object.fromEntries(
        [...rows].map(([key, row]) => [key, section.idOf?.(row) ?? '']),
      );
    }
    for (const row of rows.values()) {
      for (const [name, ids] of Object.entries(section.nestedIdsOf?.(row) ?? {})) {
        (nested[name] ??= []).push(...Object.entries(ids));
      }
    }
  }
  for (const [name, ids] of Object.entries(nested)) {
    maps[name] = { ...maps[name], ...Object.fromEntries(ids) };
  }
  return maps;
}

export function rowsOf(stored: Stored, section: Section): Map<string, unknown> {
  const rows = stored.get(section);
  if (!rows) {
    throw new Error(`${section.name} was not loaded`);
  }
  return rows;
}

/** The stored `${env:NAME}` texts of a sub-account, by section and entry. */
export type StoredReferences = ReadonlyMap<string, ReadonlyMap<string, References>>;

const NONE: References = new Map();

interface ReferenceRow {
  readonly section: string;
  readonly entry: string;
  readonly path: string;
  readonly reference: string;
}

export async function loadReferences(work: Work): Promise<StoredReferences> {
  const rows = await work.rows<ReferenceRow>(LOAD, [work.subAccountId]);
  const stored = new Map<string, Map<string, Map<string, string>>>();
  for (const { section, entry, path, reference } of rows) {
    const entries = stored.get(section) ?? new Map<string, Map<string, string>>();
    const references = entries.get(entry) ?? new Map<string, string>();
    stored.set(section, entries.set(entry, references.set(path, reference)));
  }
  return stored;
}

const LOAD = `select section, entry, path, reference from manifest_references
  where sub_account_id = $1 order by section, entry, path`;

export const referencesOf = (stored: StoredReferences, section: string, key: string): References =>
  stored.get(section)?.get(key) ?? NONE;

/** Replaces the references of an entry. */
export async function saveReferences(
  work: Work,
  { section, key }: { readonly section: string; readonly key: string },
  references: References,
): Promise<void> {
  const { subAccountId, now } = work;
  await deleteReferences(work, section, [key]);
  if (references.size > 0) {
    const paths = [...references.keys()];
    await work.rows(SAVE, [subAccountId, section, key, now, paths, [...references.values()]]);
  }
}

/** Deletes the references of removed entries. */
export async function deleteReferences(
  work: Work,
  section: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length > 0) {
    await work.rows(DELETE, [work.subAccountId, section, keys]);
  }
}

const DELETE = `delete from manifest_references
  where sub_account_id = $1 and section = $2 and entry = any($3::text[])`;

const SAVE = `insert into manifest_references
    (sub_account_id, section, entry, created_at, path, reference)
  select $1, $2, $3, $4, path, reference from unnest($5::text[], $6::text[]) as one (path, reference)`;

/** An entry of the manifest beside the stored one. */
interface ReferencedEntry {
  readonly given: unknown;
  readonly references: References;
  readonly stored: unknown;
  readonly storedReferences: References;
  readonly wanted: unknown;
}

/**
 * Returns the references of an entry after it is applied. A secret that the file omits keeps its stored
 * value and reference.
 */
export function nextReferences(entry: ReferencedEntry): References {
  const { given, references, stored, storedReferences, wanted } = entry;
  const kept = [...storedReferences].filter(
    ([path]) =>
      (valueAt(given, path) ?? null) === null &&
      isDeepStrictEqual(valueAt(stored, path), valueAt(wanted, path)),
  );
  return new Map([...kept, ...references]);
}

/** Returns the pointers at which two sets of references differ. */
export const changedReferences = (before: References, after: References): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
