import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import type { SentFilter } from './contact-filter.ts';

/** Contacts by id, or all that a filter finds. */
export type ContactSelection =
  | { readonly contactIds: readonly string[] }
  | { readonly filter: SentFilter };

export interface BulkChange {
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly assignedTo?: string | null;
}

export interface BulkProgress {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed' | 'stopped';
  readonly total: number;
  readonly processed: number;
  readonly changed: number;
  readonly refused: number;
  readonly error: string | null;
}

const PATH = '/api/v1/contact-changes';
const POLL_MS = 400;

/**
 * Changes the selected contacts and waits until the server is done. It goes on when the page is closed.
 * `progress` is that of the running change, which `stop` ends after the batch that is under way.
 */
export function useBulkChange() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress>();
  const mutation = useMutation({
    async mutationFn(body: ContactSelection & { readonly change: BulkChange }) {
      const calls = consoleCalls(subAccountId);
      let found = await calls.data<BulkProgress>('POST', PATH, { body });
      while (found.status === 'running') {
        setProgress(found);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        found = await calls.data<BulkProgress>('GET', `${PATH}/${found.id}`, {});
      }
      return found;
    },
    async onSettled() {
      setProgress(undefined);
      await Promise.all([
        queries.invalidateQueries({ queryKey: [subAccountId, 'contacts'] }),
        queries.invalidateQueries({ queryKey: [subAccountId, 'contact'] }),
      ]);
    },
  });
  const stop = useMutation({
    mutationFn: (id: string) =>
      consoleCalls(subAccountId).data<BulkProgress>('POST', `${PATH}/${id}/stop`, {}),
  });
  return { ...mutation, progress, stop };
}
