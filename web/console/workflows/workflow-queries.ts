import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

/** A step as in the manifest: one action, and the branches of a condition. */
export type Step = Readonly<Record<string, unknown>> & {
  readonly then?: readonly Step[];
  readonly else?: readonly Step[];
};

export interface Workflow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
  readonly triggers: readonly ({
    readonly on: string;
    readonly where?: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>)[];
  readonly steps: readonly Step[];
  readonly running: number;
  readonly waiting: number;
}

export interface RunRow {
  readonly id: string;
  readonly workflow: string;
  readonly contactId: string | null;
  readonly contactName: string | null;
  readonly status: 'running' | 'waiting' | 'completed' | 'cancelled' | 'failed';
  readonly trigger: string;
  /** The event that the run waits for. */
  readonly waitingFor: string | null;
  /** When the run continues at the latest. */
  readonly dueAt: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

/** What a step wrote. */
export interface LogRecord {
  readonly type: 'message' | 'opportunity' | 'task';
  readonly id: string;
  /** The conversation of a message, or the pipeline of an opportunity. */
  readonly withinId: string | null;
}

export interface LogEntry {
  readonly place: string;
  readonly step: string;
  readonly outcome: string;
  readonly detail: string | null;
  readonly record: LogRecord | null;
  readonly at: string;
}

export type Run = RunRow & { readonly log: readonly LogEntry[] };

const PAGE_SIZE = 50;

export function useWorkflows() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'runs', 'workflows'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Workflow[]>('GET', '/api/v1/workflows', {
        options: { signal },
      }),
  });
}

/** Returns the runs of a workflow, newest first, page by page. */
export function useRuns(slug: string) {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'runs', 'of', slug],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<RunRow[], CursorMeta>(
        'GET',
        `/api/v1/workflows/${encodeURIComponent(slug)}/runs`,
        { query: { limit: PAGE_SIZE, cursor: pageParam }, options: { signal } },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
  });
}

export function useRun(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'runs', id],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Run>('GET', `/api/v1/runs/${id}`, { options: { signal } }),
  });
}

export function useCancelRun(id: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => consoleCalls(subAccountId).data<Run>('POST', `/api/v1/runs/${id}/cancel`, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'runs'] }),
  });
}

/** What bulk cancelling did. */
interface CancelledRuns {
  readonly cancelled: number;
  /** Runs that had ended before. */
  readonly notCancelled: readonly string[];
  readonly remaining: number;
}

const CANCELLED_PER_CALL = 100;

/** Cancels runs by id, or all runs of a workflow that wait, in several calls if there are many. */
export function useCancelRuns() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const cancel = (body: object) =>
    consoleCalls(subAccountId).data<CancelledRuns>('POST', '/api/v1/runs/cancel', { body });
  return useMutation({
    async mutationFn(
      selection: { readonly runIds: readonly string[] } | { readonly workflow: string },
    ) {
      const done = { cancelled: 0, ended: 0 };
      const add = ({ cancelled, notCancelled }: CancelledRuns) => {
        done.cancelled += cancelled;
        done.ended += notCancelled.length;
      };
      if ('runIds' in selection) {
        const { runIds } = selection;
        for (let at = 0; at < runIds.length; at += CANCELLED_PER_CALL) {
          add(await cancel({ runIds: runIds.slice(at, at + CANCELLED_PER_CALL) }));
        }
        return done;
      }
      for (let isMore = true; isMore;) {
        const result = await cancel(selection);
        add(result);
        isMore = result.remaining > 0 && result.cancelled > 0;
      }
      return done;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'runs'] }),
  });
}

interface DryRun {
  readonly steps: readonly {
    readonly place: string;
    readonly step: string;
    readonly at: string;
    /** The value of the step in the manifest, with the contact's merge fields filled. */
    readonly arguments: unknown;
    /** The end of a wait. */
    readonly until: string | null;
    /** Where a condition leads. */
    readonly branch: 'then' | 'else' | null;
    /** Of a message that would not be sent, with the reason in `detail`. */
    readonly outcome: 'skipped' | 'failed' | null;
    readonly detail: string | null;
  }[];
}

/** Returns the steps that a run would take for a contact; nothing is changed or sent. */
export function useDryRun(slug: string, contactId: string | null) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'runs', 'dry', slug, contactId],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<DryRun>(
        'POST',
        `/api/v1/workflows/${encodeURIComponent(slug)}/dry-run`,
        { body: { contactId }, options: { signal } },
      ),
    enabled: contactId !== null,
    staleTime: 0,
  });
}
