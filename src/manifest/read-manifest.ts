import { issuesOf } from '#core/schema/check.ts';
import { Fault } from '#core/fault.ts';
import type { Issue, Section, SectionTools } from '#core/section.ts';
import { readSecretKey, secretsOf } from '#platform/config/secrets.ts';
import { checkedEntry, entriesOf, repeatsAmong, type Entry } from './entries.ts';
import { resolveReferences, type Variables } from './environment-references.ts';
import { manifestSchema } from './manifest-schema.ts';
import { parseSource, type Place } from './parse-source.ts';

/** A parsed manifest: the entries of every section, what is wrong with them, and how to say so. */
export interface Manifest {
  readonly entries: ReadonlyMap<Section, readonly Entry[]>;
  /** What is wrong whatever is stored. */
  readonly issues: readonly Issue[];
  readonly refusal: (issues: readonly Issue[]) => Fault;
  readonly tools: SectionTools;
}

export interface ManifestFile {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
}

/**
 * Returns a manifest with everything that is wrong in it, each by file, line and path. Throws a Fault
 * only where the text is no YAML.
 */
export function readManifest(
  sections: readonly Section[],
  { name, text }: ManifestFile,
  variables: Variables,
): Manifest {
  const source = parseSource(text);
  if (source.errors.length > 0) {
    throw refusalOf(name, source.errors);
  }
  const {
    value,
    references,
    issues: unresolved,
  } = resolveReferences(source.value, variables, sections);
  // Of a value whose variable is missing, nothing else is worth saying.
  const violations = issuesOf(manifestSchema(sections), value, { suggest: true }).filter(
    ({ path }) => !unresolved.some((issue) => issue.path === path),
  );
  const entries = new Map(
    sections.map((section) => [
      section,
      entriesOf(section, value).map((found) =>
        checkedEntry(section, found, {
          sections,
          violations: [...violations, ...unresolved],
          references,
        }),
      ),
    ]),
  );
  return {
    entries,
    issues: [...unresolved, ...violations, ...issuesAmong(entries)],
    refusal: (issues) =>
      refusalOf(
        name,
        issues.map((issue) => ({ ...issue, ...source.placeOf(issue.path) })),
      ),
    tools: toolsOf(variables),
  };
}

/** Secrets of a manifest come from the environment, and so does the key that they are sealed by. */
function toolsOf({ FRONTDESK_SECRET_KEY: text = '' }: Variables): SectionTools {
  const key = readSecretKey(text);
  return { secrets: key && secretsOf(key) };
}

/** What no schema says, of everything in an entry that fits its schema. */
function issuesAmong(entries: Manifest['entries']): readonly Issue[] {
  return [...entries].flatMap(([section, listed]) => {
    const issues = listed.flatMap(({ key, checked, path: at, violated }) =>
      checked === undefined
        ? []
        : (section.check?.(checked, key) ?? [])
            .map(({ path, message }) => ({ path: at + path, message }))
            .filter(({ path }) => !violated(path)),
    );
    return [...issues, ...repeatsAmong(section, listed)];
  });
}

function refusalOf(file: string, errors: readonly (Issue & Place)[]): Fault {
  const sorted = [...errors].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = sorted.map(
    ({ line, column, path, message }) =>
      `${file}:${line}:${column}: ${path || 'the file'} ${message}`,
  );
  return new Fault('VALIDATION_ERROR', lines.join('\n'));
}
