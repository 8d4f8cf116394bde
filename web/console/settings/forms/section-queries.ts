import { FrontdeskError } from '../../../../sdk/src/error.ts';
import { useApply, useManifest } from '../manifest/manifest-queries.ts';
import type { Entry } from './entry.ts';

/** Returns the entries of a section of the manifest; a section with one entry is a list of one. */
export function useSection(section: string) {
  const { data, error, refetch } = useManifest();
  return {
    entries: data && entriesIn(data.manifest[section]),
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
  const errorOf = (path: string) => {
    const issues = error instanceof FrontdeskError ? error.issues : [];
    return issues.find(
      (issue) => issue.path === `${at}/${path}` || issue.path.startsWith(`${at}/${path}/`),
    )?.message;
  };
  return {
    isPending,
    errorOf,
    save: ({ entry, base }: EntryChange) =>
      mutateAsync({
        source: JSON.stringify({ [section]: shaped(shape, entry) }),
        base: { [section]: shaped(shape, base) },
        prune: false,
      }),
  };
}

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
