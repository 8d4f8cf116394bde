import { violationsOf } from '#kit/check.ts';
import { Fault } from '#kit/fault.ts';
import type { Misfit, Section, SectionTools } from '#kit/section.ts';
import { readSecretKey, secretsOf } from '#platform/secrets.ts';
import { entriesOf, repeatsAmong, type Entry } from './entries.ts';
import { fillReferences, type Variables } from './environment-references.ts';
import { manifestSchema } from './manifest-schema.ts';
import { parseSource, type Place } from './parse-source.ts';

/** A manifest that fits its schema: the entries of every section, and how to refuse one of them. */
export interface Manifest {
  readonly entries: ReadonlyMap<Section, readonly Entry[]>;
  readonly refusal: (misfits: readonly Misfit[]) => Fault;
  readonly tools: SectionTools;
}

export interface ManifestFile {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
}

/** Refuses with everything that is wrong in the file at once, each by file, line and path. */
export function readManifest(
  sections: readonly Section[],
  { name, text }: ManifestFile,
  variables: Variables,
): Manifest {
  const source = parseSource(text);
  if (source.errors.length > 0) {
    throw refusalOf(name, source.errors);
  }
  const refusal = (misfits: readonly Misfit[]) =>
    refusalOf(
      name,
      misfits.map((misfit) => ({ ...misfit, ...source.placeOf(misfit.path) })),
    );
  const { value, misfits: unfilled } = fillReferences(source.value, variables);
  const entries = new Map(sections.map((section) => [section, entriesOf(section, value)]));
  // Of a value whose variable is missing, nothing else is worth saying.
  const violations = violationsOf(manifestSchema(sections), value).filter(
    ({ path }) => !unfilled.some((misfit) => misfit.path === path),
  );
  const misfits = [...unfilled, ...violations, ...misfitsAmong(entries, violations)];
  if (misfits.length > 0) {
    throw refusal(misfits);
  }
  return { entries, refusal, tools: toolsOf(variables) };
}

/** Secrets of a manifest come from the environment, and so does the key that they are sealed by. */
function toolsOf({ FRONTDESK_SECRET_KEY: text = '' }: Variables): SectionTools {
  const key = readSecretKey(text);
  return { secrets: key && secretsOf(key) };
}

/** What no schema says; asked only of entries that fit theirs. */
function misfitsAmong(
  entries: Manifest['entries'],
  violations: readonly Misfit[],
): readonly Misfit[] {
  return [...entries].flatMap(([section, listed]) => {
    const sound = listed.filter(
      ({ path: at }) => !violations.some(({ path }) => path === at || path.startsWith(`${at}/`)),
    );
    const misfits = sound.flatMap(({ key, value, path: at }) =>
      (section.check?.(value, key) ?? []).map(({ path, message }) => ({
        path: at + path,
        message,
      })),
    );
    return [...misfits, ...repeatsAmong(section, listed)];
  });
}

function refusalOf(file: string, errors: readonly (Misfit & Place)[]): Fault {
  const sorted = [...errors].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = sorted.map(
    ({ line, column, path, message }) =>
      `${file}:${line}:${column}: ${path || 'the file'} ${message}`,
  );
  return new Fault('VALIDATION_ERROR', lines.join('\n'));
}
