import { issuesOf } from '#core/schema/check.ts';
import { Fault } from '#core/fault.ts';
import type { EntryIssue, Section, SectionTools } from '#core/section.ts';
import { AGENCY } from '#lib/id.ts';
import { inSlices } from '#lib/in-slices.ts';
import { readSecretKey, secretsOf } from '#platform/config/secrets.ts';
import { checkedEntry, entriesOf, repeatsAmong, type Entry } from './entries.ts';
import {
  resolveReferences,
  type ReferenceValues,
  type Variables,
} from './environment-references.ts';
import { manifestSchema } from './manifest-schema.ts';
import type { Place } from './parse-source.ts';
import { readSource, type ReadSource } from './read-source.ts';

/** A parsed manifest: the entries of each section and their issues. */
export interface Manifest {
  readonly entries: ReadonlyMap<Section, readonly Entry[]>;
  /** Issues of the file itself. */
  readonly issues: readonly EntryIssue[];
  /** Returns the Fault that lists issues by file, line and path. */
  readonly refusal: (issues: readonly EntryIssue[]) => Promise<Fault>;
  readonly tools: SectionTools;
}

export interface ManifestFile {
  /** The name in messages. */
  readonly name: string;
  readonly text: string;
}

/** Finding the place of each issue takes time; more than these are only counted. */
const ISSUES_MAX = 200;

/** Parses a manifest of the command line. Throws a Fault only if the text is not YAML. */
export const readManifest = (
  sections: readonly Section[],
  file: ManifestFile,
  variables: Variables,
): Promise<Manifest> =>
  parseManifest(
    sections,
    { ...file, source: readSource(file.text), subAccountId: AGENCY },
    () => ({ variables }),
    toolsOf(variables),
  );

/** A manifest file that is parsed, but not checked. */
interface ParsedFile {
  /** The name in messages. */
  readonly name: string;
  readonly source: ReadSource;
  /** The sub-account that waits for it, or AGENCY for a command. */
  readonly subAccountId: string;
}

/**
 * Checks a manifest and collects its issues. `valuesFor` returns the values of the references, given the
 * manifest as it is written. Throws a Fault only if the text is not YAML.
 */
export async function parseManifest(
  sections: readonly Section[],
  { name, source, subAccountId }: ParsedFile,
  valuesFor: (written: unknown) => ReferenceValues,
  tools: SectionTools,
): Promise<Manifest> {
  if (source.errors.length > 0) {
    throw refusalOf(name, source.errors);
  }
  const refusal = async (issues: readonly EntryIssue[]): Promise<Fault> => {
    const listed = issues.slice(0, ISSUES_MAX);
    const places = await source.placesOf(listed.map(({ path }) => path));
    const placed = listed.map((issue, index) => ({ ...issue, ...(places[index] ?? START) }));
    return refusalOf(name, placed, issues.length - listed.length);
  };
  const {
    value,
    references,
    issues: unresolved,
  } = resolveReferences(source.value, valuesFor(source.value), sections);
  // An unset variable is the only issue reported for its value.
  const unset = new Set(unresolved.map(({ path }) => path));
  const invalid = issuesOf(manifestSchema(sections), value).filter(({ path }) => !unset.has(path));
  // Each issue is compared with each entry: a text of nothing but mistakes would take minutes.
  if (invalid.length + unresolved.length > ISSUES_MAX) {
    throw await refusal([...unresolved, ...invalid]);
  }
  const findings = { sections, issues: [...invalid, ...unresolved], references };
  const entries = new Map<Section, readonly Entry[]>();
  for (const section of sections) {
    const checked: Entry[] = [];
    await inSlices(subAccountId, entriesOf(section, value), (found) => {
      checked.push(checkedEntry(section, found, findings));
    });
    entries.set(section, checked);
  }
  return {
    entries,
    issues: [...unresolved, ...invalid, ...(await issuesAmong(subAccountId, entries))],
    refusal,
    tools,
  };
}

const START: Place = { line: 1, column: 1 };

/** The key that encrypts the secrets of a manifest comes from the environment. */
function toolsOf({ FRONTDESK_SECRET_KEY: text = '' }: Variables): SectionTools {
  const key = readSecretKey(text);
  return { secrets: key && secretsOf(key) };
}

/** Issues that a schema cannot express, of the valid parts of entries. */
async function issuesAmong(
  subAccountId: string,
  entries: Manifest['entries'],
): Promise<readonly EntryIssue[]> {
  const issues: EntryIssue[] = [];
  for (const [section, listed] of entries) {
    await inSlices(subAccountId, listed, ({ key, checked, path: at, hasIssue }) => {
      const own = checked === undefined ? [] : (section.check?.(checked, key) ?? []);
      const placed = own.map(({ path, message }) => ({ path: at + path, message }));
      issues.push(...placed.filter(({ path }) => !hasIssue(path)));
    });
    issues.push(...repeatsAmong(section, listed));
  }
  return issues;
}

function refusalOf(file: string, errors: readonly (EntryIssue & Place)[], more = 0): Fault {
  const sorted = [...errors].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = sorted.map(
    ({ line, column, path, message }) =>
      `${file}:${line}:${column}: ${path || 'the file'} ${message}`,
  );
  const rest = more > 0 ? [`${file}: ${more} more ${more === 1 ? 'issue' : 'issues'}`] : [];
  const issues = sorted.map(({ path, message, line, column }) => {
    return { in: 'body', path, message, line, column };
  });
  return new Fault('VALIDATION_ERROR', [...lines, ...rest].join('\n'), { issues });
}
