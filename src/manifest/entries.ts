import { pointerToken, issuesOf } from '#core/schema/check.ts';
import type { Issue, Section } from '#core/section.ts';
import { isRecord, type References } from './environment-references.ts';
import { memberOf, tokensOf } from './json-pointer.ts';
import { manifestSchema } from './manifest-schema.ts';

/** One thing that a manifest names, and where in it. */
export interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly path: string;
  /** The `${env:NAME}` texts in it, by JSON pointer below the entry. */
  readonly references: References;
  /** Whether it fits its schema. */
  readonly isSound: boolean;
  /** The entry without what breaks its schema; undefined where too little of it is left. */
  readonly checked: unknown;
  /** Whether a violation of the schema stands at this path of the manifest, below or around it. */
  readonly violated: (path: string) => boolean;
}

type FoundEntry = Pick<Entry, 'key' | 'value' | 'path'>;

/** The entries of a section as far as they can be told; what has no key is left to the schema. */
export function entriesOf({ name, match }: Section, manifest: unknown): readonly FoundEntry[] {
  const given = isRecord(manifest) && Object.hasOwn(manifest, name) ? manifest[name] : undefined;
  if (given === undefined) {
    return [];
  }
  if (match === 'only') {
    return [{ key: name, value: given, path: `/${name}` }];
  }
  if (match === 'member') {
    return Object.entries(isRecord(given) ? given : {}).map(([key, value]) => ({
      key,
      value,
      path: `/${name}/${pointerToken(key)}`,
    }));
  }
  return (Array.isArray(given) ? given : []).flatMap((value: unknown, index) => {
    const key = isRecord(value) ? value[match] : undefined;
    return typeof key === 'string' ? [{ key, value, path: `/${name}/${index}` }] : [];
  });
}

/** Keys that a person would take for one another: case makes no difference. */
export const foldKey = (key: string): string => key.toLowerCase();

export function repeatsAmong({ match }: Section, entries: readonly FoundEntry[]): readonly Issue[] {
  const first = new Map<string, FoundEntry>();
  return entries.flatMap((entry) => {
    const before = first.get(foldKey(entry.key));
    if (!before) {
      first.set(foldKey(entry.key), entry);
      return [];
    }
    const path = match === 'member' ? entry.path : `${entry.path}/${match}`;
    return [{ path, message: `repeats ${before.key}, which ${before.path} has` }];
  });
}

interface Findings {
  readonly sections: readonly Section[];
  readonly violations: readonly Issue[];
  readonly references: References;
}

/** Adds to an entry what is known of it once the whole manifest was checked against its schema. */
export function checkedEntry(section: Section, found: FoundEntry, findings: Findings): Entry {
  const { path: at, value } = found;
  const own = findings.violations.filter(({ path }) => isWithin(path, at) || isWithin(at, path));
  const references = [...findings.references].filter(([path]) => isWithin(path, at));
  return {
    ...found,
    references: new Map(references.map(([path, text]) => [path.slice(at.length), text])),
    isSound: own.length === 0,
    checked: own.length === 0 ? value : soundPart(section, found, own, findings.sections),
    violated: (path) => own.some((one) => isWithin(one.path, path) || isWithin(path, one.path)),
  };
}

const isWithin = (path: string, around: string): boolean =>
  path === around || path.startsWith(`${around}/`);

/** Removing what breaks the schema may leave something incomplete, which is removed in turn. */
const REMOVALS_MAX = 20;

/**
 * Returns an entry without what breaks its schema, so that a wrong field hides nothing else that is
 * wrong; undefined where too little is left.
 */
function soundPart(
  { name, match }: Section,
  { key, path: at, value }: FoundEntry,
  violations: readonly Issue[],
  sections: readonly Section[],
): unknown {
  const part: unknown = structuredClone(value);
  const base = match === 'only' || match === 'member' ? at : `/${name}/0`;
  let pointers = violations.map(({ path }) => (isWithin(path, at) ? path.slice(at.length) : ''));
  for (let round = 0; round < REMOVALS_MAX && pointers.length > 0; round += 1) {
    if (!pointers.every((pointer) => removeAt(part, tokensOf(pointer)))) {
      return undefined;
    }
    const listed = match === 'only' ? part : match === 'member' ? { [key]: part } : [part];
    const left = issuesOf(manifestSchema(sections), { [name]: listed });
    pointers = left.map(({ path }) => path.slice(base.length));
  }
  return pointers.length === 0 ? part : undefined;
}

/**
 * Removes a member; where it is missing, what it is missing in. An item goes with its whole list, so
 * that the others keep their places. Returns false for the entry itself.
 */
function removeAt(value: unknown, tokens: readonly string[]): boolean {
  const around = tokens.slice(0, -1);
  const parent = around.reduce<unknown>(memberOf, value);
  const last = tokens.at(-1);
  if (last === undefined) {
    return false;
  }
  if (!isRecord(parent) || !Object.hasOwn(parent, last)) {
    return parent === undefined || removeAt(value, around);
  }
  return Reflect.deleteProperty(parent, last);
}
