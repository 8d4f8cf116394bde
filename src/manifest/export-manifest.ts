import { Document, Scalar, visit } from 'yaml';
import { pointerToken } from '#core/fault.ts';
import type { Section } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { escapeReferences, isRecord } from './environment-references.ts';
import { withTextAt } from './json-pointer.ts';
import {
  idMapsOf,
  loadReferences,
  referencesOf,
  loadStored,
  type IdMaps,
  type StoredReferences,
} from './stored.ts';

/**
 * Returns the manifest of the work's sub-account: applying it changes nothing. It contains no secrets,
 * and `${env:NAME}` for fields that came from the environment.
 */
export const exportManifest = async (
  work: Work,
  sections: readonly Section[],
): Promise<ExportedManifest['manifest']> => (await exportWithIds(work, sections)).manifest;

interface ExportedManifest {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly ids: IdMaps;
}

/** Returns the same, and the ids of its entries. */
export async function exportWithIds(
  work: Work,
  sections: readonly Section[],
): Promise<ExportedManifest> {
  const stored = await loadStored(work, sections, {});
  const references = await loadReferences(work);
  const members = [...stored].flatMap(([section, rows]) =>
    rows.size === 0 ? [] : [[section.name, sectionValue(section, rows, references)]],
  );
  return { manifest: Object.fromEntries(members), ids: idMapsOf(stored) };
}

function sectionValue(
  section: Section,
  rows: ReadonlyMap<string, unknown>,
  references: StoredReferences,
): unknown {
  const { name, exportOf = section.valueOf } = section;
  const entries = [...rows].map(([key, row]) => {
    const own = referencesOf(references, name, key);
    return [
      key,
      [...own].reduce<unknown>(
        (value, [path, text]) => withTextAt(value, path, text),
        tidy(section, exportOf(row)),
      ),
    ] as const;
  });
  switch (section.match) {
    case 'only':
      return entries[0]?.[1];
    case 'member':
      return Object.fromEntries(entries);
    case 'key':
    case 'name':
    case 'slug':
      return entries.map(([, value]) => value);
  }
}

/** Removes secrets, and null where it stands for a missing member. */
function tidy(section: Section, value: unknown, path = '', isFree = false): unknown {
  if (typeof value === 'string') {
    return escapeReferences(value);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => tidy(section, item, `${path}/${index}`, isFree));
  }
  if (!isRecord(value)) {
    return value;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const place = `${path}/${pointerToken(name)}`;
    const isOfFree = isFree || section.freeJson?.test(place) === true;
    if ((member !== null || isOfFree) && !section.secrets?.test(place)) {
      members.push([name, tidy(section, member, place, isOfFree)]);
    }
  }
  return Object.fromEntries(members);
}

/**
 * YAML blocks do not preserve blank lines at the ends of a text. Not one regular expression: for a text
 * of 10,000 line breaks it would need a second.
 */
function isBlankAtAnEnd(text: string): boolean {
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(text.trimEnd().length);
  return before.includes('\n') || /\n\s/.test(after);
}

/** Returns YAML without folded lines, so that a change is one line of a diff, and without a final newline. */
export function writeYaml(manifest: object): string {
  const document = new Document(manifest);
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && isBlankAtAnEnd(scalar.value)) {
        scalar.type = Scalar.QUOTE_DOUBLE;
      }
    },
  });
  return document.toString({ lineWidth: 0 }).replace(/\n$/, '');
}
