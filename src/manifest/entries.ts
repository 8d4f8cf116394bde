import { pointerToken } from '#core/schema/check.ts';
import type { Issue, Section } from '#core/section.ts';
import { isRecord, type References } from './environment-references.ts';

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

export type FoundEntry = Pick<Entry, 'key' | 'value' | 'path'>;

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
