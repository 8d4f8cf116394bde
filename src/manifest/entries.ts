import { pointerToken } from '#core/fault.ts';
import { issuesOf } from '#core/schema/check.ts';
import type { EntryIssue, Section } from '#core/section.ts';
import { isRecord, type References } from './environment-references.ts';
import { memberOf, tokensOf } from './json-pointer.ts';
import { manifestSchema } from './manifest-schema.ts';

/** An entry of a manifest, with its path. */
export interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly path: string;
  /** The `${env:NAME}` texts in it, by JSON pointer below the entry. */
  readonly references: References;
  /** Whether it is valid under its schema. */
  readonly isSound: boolean;
  /** The entry without its invalid parts; undefined if too little is left. */
  readonly checked: unknown;
  /** Whether there is a schema issue at this path of the manifest, below or above it. */
  readonly hasIssue: (path: string) => boolean;
}

type NamedEntry = Pick<Entry, 'key' | 'value' | 'path'>;

/** Returns the entries of a section; the schema reports entries without a key. */
export function entriesOf({ name, match }: Section, manifest: unknown): readonly NamedEntry[] {
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

/** Keys that differ only in case are taken for the same. */
export const foldKey = (key: string): string => key.toLowerCase();

export function repeatsAmong(
  { match }: Section,
  entries: readonly NamedEntry[],
): readonly EntryIssue[] {
  const first = new Map<string, NamedEntry>();
  return entries.flatMap((entry) => {
    const before = first.get(foldKey(entry.key));
    if (!before) {
      first.set(foldKey(entry.key), entry);
      return [];
    }
    const path = match === 'member' ? entry.path : `${entry.path}/${match}`;
    return [{ path, message: `repeats ${before.key} of ${before.path}` }];
  });
}

interface Findings {
  readonly sections: readonly Section[];
  readonly issues: readonly EntryIssue[];
  readonly references: References;
}

/** Adds the results of checking the whole manifest against its schema. */
export function checkedEntry(section: Section, found: NamedEntry, findings: Findings): Entry {
  const { path: at, value } = found;
  const own = findings.issues.filter(({ path }) => isWithin(path, at) || isWithin(at, path));
  const references = [...findings.references].filter(([path]) => isWithin(path, at));
  return {
    ...found,
    references: new Map(references.map(([path, text]) => [path.slice(at.length), text])),
    isSound: own.length === 0,
    checked: own.length === 0 ? value : soundPart(section, found, own, findings.sections),
    hasIssue: (path) => own.some((one) => isWithin(one.path, path) || isWithin(path, one.path)),
  };
}

const isWithin = (path: string, around: string): boolean =>
  path === around || path.startsWith(`${around}/`);

/** Removing an invalid part may leave its parent incomplete, which is removed in the next round. */
const REMOVALS_MAX = 20;

/**
 * Returns an entry without its invalid parts, so that one issue does not hide others; undefined if too
 * little is left.
 */
function soundPart(
  { name, match }: Section,
  { key, path: at, value }: NamedEntry,
  issues: readonly EntryIssue[],
  sections: readonly Section[],
): unknown {
  const part: unknown = structuredClone(value);
  const base = match === 'only' || match === 'member' ? at : `/${name}/0`;
  let pointers = issues.map(({ path }) => (isWithin(path, at) ? path.slice(at.length) : ''));
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
 * Removes a member; for a missing one, its parent. For an item, its whole list, so that indexes do not
 * shift. Returns false for the entry itself.
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
