import type { IdOf, Section, SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';

/** The rows behind each section by their key, in the order in which they are kept. */
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
    throw new Error(`no id of ${name} ${key}; a section refers only to sections above it`);
  };

/** Every id that scripts look up: `{team: {anna: id}}`. */
export type IdMaps = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function idMapsOf(stored: Stored): IdMaps {
  const maps: Record<string, Record<string, string>> = {};
  for (const [section, rows] of stored) {
    if (section.idOf) {
      maps[section.name] = Object.fromEntries(
        [...rows].map(([key, row]) => [key, section.idOf?.(row) ?? '']),
      );
    }
    for (const row of rows.values()) {
      for (const [name, ids] of Object.entries(section.nestedIdsOf?.(row) ?? {})) {
        maps[name] = { ...maps[name], ...ids };
      }
    }
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
