import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FrontdeskError } from '../../../../sdk/src/error.ts';
import { consoleCalls } from '../../api/client.ts';
import { usePlace } from '../../api/session.ts';

/** An issue of the text, at its line and column. */
export interface SourceIssue {
  readonly path: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

interface Named {
  readonly section: string;
  readonly key: string;
}

export interface Outcome {
  readonly created: readonly Named[];
  readonly updated: readonly (Named & {
    readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  })[];
  readonly removed: readonly Named[];
  readonly skipped: readonly (Named & { readonly reason: string })[];
  readonly warnings: readonly string[];
}

export interface StoredManifest {
  readonly source: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The ids of entries by section and key. */
  readonly ids: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface SourceInput {
  readonly source: string;
  readonly prune: boolean;
  /** What was read: entries that another person changed since are not overwritten. */
  readonly base?: Readonly<Record<string, unknown>>;
}

/** Returns the issues that a refusal of the server lists. */
export function issuesOf(error: unknown): readonly SourceIssue[] {
  const issues = error instanceof FrontdeskError ? error.details?.['issues'] : undefined;
  return Array.isArray(issues)
    ? (issues as readonly Partial<SourceIssue>[]).filter(
        (issue): issue is SourceIssue => typeof issue.line === 'number',
      )
    : [];
}

export function useManifest() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'manifest'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<StoredManifest>('GET', '/api/v1/manifest', {
        options: { signal },
      }),
    // The text under the cursor must not change.
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Returns the changes that applying a text would make. */
export function usePreview() {
  const { subAccountId } = usePlace().membership;
  return useMutation({
    mutationFn: (body: SourceInput) =>
      consoleCalls(subAccountId).data<Outcome>('POST', '/api/v1/manifest/diff', { body }),
  });
}

/** Applies a text. `onApplied` is called before the manifest is read again. */
export function useApply(onApplied?: () => void) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(body: SourceInput) {
      const calls = consoleCalls(subAccountId);
      const outcome = await calls.data<Outcome>('POST', '/api/v1/manifest/apply', { body });
      onApplied?.();
      return outcome;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId] }),
  });
}
