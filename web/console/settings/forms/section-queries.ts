import { FrontdeskError } from '../../../../sdk/src/error.ts';
import { useApply, useManifest } from '../manifest/manifest-queries.ts';
import type { Entry } from './entry.ts';

/** Returns the entries of a section of the manifest; a section with one entry is a list of one. */
export function useSection(section: string) {
  const { data, error, refetch } = useManifest();
  const stored = data?.manifest[section];
  const entries = Array.isArray(stored) ? (stored as readonly Entry[]) : [(stored ?? {}) as Entry];
  return { entries: data && (stored === undefined ? [] : entries), error, refetch };
}

/** Applies a section; the rest of the manifest stays. */
export function useSaveSection(section: string) {
  const { mutateAsync, isPending, error } = useApply();
  const errorOf = (index: number | null) => (path: string) => {
    const at = index === null ? `/${section}/${path}` : `/${section}/${index}/${path}`;
    const issues = error instanceof FrontdeskError ? error.details?.['issues'] : undefined;
    return (issues as { path: string; message: string }[] | undefined)?.find(
      (issue) => issue.path === at || issue.path.startsWith(`${at}/`),
    )?.message;
  };
  return {
    isPending,
    errorOf,
    save: (value: Entry | readonly Entry[]) =>
      mutateAsync({ source: JSON.stringify({ [section]: value }), prune: false }),
  };
}
