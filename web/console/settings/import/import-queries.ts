import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FrontdeskError } from '../../../../sdk/src/error.ts';
import { consoleCalls } from '../../api/client.ts';
import { usePlace } from '../../api/session.ts';
import type { CustomField } from './contact-columns.ts';

interface RowError {
  readonly line: number;
  readonly message: string;
}

export interface ContactImport {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed';
  readonly processed: number;
  readonly total: number;
  readonly dryRun: boolean;
  readonly error: string | null;
  readonly created?: number;
  readonly updated?: number;
  readonly skipped?: number;
  readonly failed?: number;
  readonly errors?: readonly RowError[];
}

interface ImportInput {
  /** In UTF-8. */
  readonly file: Blob;
  readonly columns: readonly string[];
  readonly list: string | null;
  readonly dryRun: boolean;
}

const POLL_MS = 1_000;

/** Uploads a file: the server maps its columns. */
export function useStartImport() {
  const { subAccountId } = usePlace().membership;
  return useMutation({
    mutationFn: async ({ file, columns, list, dryRun }: ImportInput): Promise<ContactImport> => {
      const query = new URLSearchParams({ columns: columns.join(','), dryRun: String(dryRun) });
      if (list !== null) {
        query.set('list', list);
      }
      const response = await fetch(`/console/api/v1/imports?${query.toString()}`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv', 'x-sub-account-id': subAccountId },
        body: file,
      });
      const body = (await response.json()) as {
        readonly data: ContactImport;
        readonly error: ConstructorParameters<typeof FrontdeskError>[0];
      };
      if (!response.ok) {
        throw new FrontdeskError({ ...body.error, status: response.status });
      }
      return body.data;
    },
  });
}

/** Returns an import, again and again until it has ended. */
export function useImport(id: string | null) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useQuery({
    queryKey: [subAccountId, 'imports', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const found = await consoleCalls(subAccountId).data<ContactImport>(
        'GET',
        `/api/v1/imports/${id}`,
        { options: { signal } },
      );
      if (found.status === 'done' && !found.dryRun) {
        void queries.invalidateQueries({ queryKey: [subAccountId, 'contacts'] });
      }
      return found;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
}

interface ImportTargets {
  readonly customFields: readonly CustomField[];
  readonly lists: readonly { readonly key: string; readonly name: string }[];
}

interface Manifest {
  readonly customFields?: readonly { readonly name: string; readonly label?: string }[];
  readonly lists?: readonly {
    readonly key: string;
    readonly name: string;
    readonly filter?: object;
  }[];
}

/** Returns the custom fields and the static lists of the sub-account. */
export function useImportTargets() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'import-targets'],
    queryFn: async ({ signal }): Promise<ImportTargets> => {
      const { manifest } = await consoleCalls(subAccountId).data<{ readonly manifest: Manifest }>(
        'GET',
        '/api/v1/manifest',
        { options: { signal } },
      );
      const { customFields = [], lists = [] } = manifest;
      return {
        customFields: customFields.map(({ name, label = name }) => ({ name, label })),
        lists: lists.filter(({ filter }) => filter === undefined),
      };
    },
  });
}
