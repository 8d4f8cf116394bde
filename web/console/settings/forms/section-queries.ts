import { FrontdeskError } from '../../../../sdk/src/error.ts';
import { issueText } from '../../i18n/issue-text.ts';
import { useApply, useManifest } from '../manifest/manifest-queries.ts';
import type { Entry } from './entry.ts';

/** Returns the entries of a section of the manifest; a section with one entry is a list of one. */
export function useSection(section: string) {
  const { data, error, refetch } = useManifest();
  return {
    entries: data && entriesIn(data.manifest[section]),
    /** The ids of the entries by key. */
    ids: data?.ids[section] ?? {},
    error,
    refetch,
    /** Returns the entries as they are now. */
    readAgain: async () => entriesIn((await refetch()).data?.manifest[section]),
  };
}

function entriesIn(stored: unknown): readonly Entry[] {
  if (Array.isArray(stored)) {
    return stored as readonly Entry[];
  }
  return stored === undefined ? [] : [stored as Entry];
}

/** What a form saves: one entry of a section, and the entry as it was read. */
export interface EntryChange {
  readonly entry: Entry;
  /** Undefined for a new entry. */
  readonly base: Entry | undefined;
}

/** What a section is: a list of entries, a single entry, or the entry of one of its members. */
export type Shape = 'list' | 'single' | { readonly member: string };

/**
 * Applies one entry of a section; the rest of the manifest stays. The server refuses it with
 * `CHANGED_MEANWHILE` if the entry is no longer as it was read.
 */
export function useSaveEntry(section: string, shape: Shape) {
  const { mutateAsync, isPending, error } = useApply();
  const at = `/${section}${pathIn(shape)}`;
  const found = error instanceof FrontdeskError ? error.issues : [];
  const issues = found.map(({ path, message }) => ({ path, message: issueText(message) }));
  const isIn = (issue: { readonly path: string }, path: string) =>
    issue.path === `${at}/${path}` || issue.path.startsWith(`${at}/${path}/`);
  return {
    isPending,
    /** Returns what the server says about a member of the entry. */
    errorOf: (path: string) => issues.find((issue) => isIn(issue, path))?.message,
    /** Returns what the server says about anything but these members. */
    errorsBeside: (paths: readonly string[]) =>
      issues
        .filter((issue) => !paths.some((path) => isIn(issue, path)))
        .map(({ message }) => message),
    save: ({ entry, base }: EntryChange) =>
      mutateAsync({
        source: JSON.stringify({ [section]: shaped(shape, entry) }),
        base: { [section]: shaped(shape, base) },
        prune: false,
      }),
  };
}

/**
 * Returns the function that removes an entry of a section, by its key or the name of its member, and
 * returns why the server keeps it, if so. The rest of the manifest stays: the server refuses the change
 * with `CHANGED_MEANWHILE` if another person changed anything since the manifest was read.
 */
export function useRemoveEntry(section: string): (key: string) => Promise<string | undefined> {
  const { refetch } = useManifest();
  const apply = useApply();
  return async (key) => {
    const { data, error } = await refetch();
    if (data === undefined) {
      throw error ?? new Error('the manifest could not be read');
    }
    const base = data.manifest;
    const source = JSON.stringify({ ...base, [section]: without(base[section], key) });
    const { skipped } = await apply.mutateAsync({ source, base, prune: true });
    return skipped.find((one) => one.section === section && one.key === key)?.reason;
  };
}

/** Returns a section without an entry, by its key or the name of its member. */
const without = (stored: unknown, key: string): unknown =>
  Array.isArray(stored)
    ? (stored as readonly Entry[]).filter((entry) => entry['key'] !== key)
    : Object.fromEntries(Object.entries(stored ?? {}).filter(([member]) => member !== key));

function pathIn(shape: Shape): string {
  if (typeof shape === 'object') {
    return `/${shape.member}`;
  }
  return shape === 'single' ? '' : '/0';
}

function shaped(shape: Shape, entry: Entry | undefined) {
  if (typeof shape === 'object') {
    return entry === undefined ? {} : { [shape.member]: entry };
  }
  if (shape === 'single') {
    return entry;
  }
  return entry === undefined ? [] : [entry];
}
