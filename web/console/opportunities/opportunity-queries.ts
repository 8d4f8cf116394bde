import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  OpportunitiesCreateBody,
  OpportunitiesListQuery,
  OpportunitiesUpdateBody,
  Opportunity,
} from '../../../sdk/src/generated/opportunities.ts';
import { clientOf, consoleCalls } from '../api/client.ts';
import { SEARCH_MIN } from '../api/limits.ts';
import { usePlace } from '../api/session.ts';

/** Returns the pipelines with their stages. */
export function usePipelines() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'pipelines'],
    queryFn: ({ signal }) => clientOf(subAccountId).pipelines.list({ signal }),
  });
}

/** Returns the number of deals and their values by stage, counted by the server. */
export function usePipelineSummary(pipelineId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'opportunities', 'summary', pipelineId],
    queryFn: ({ signal }) => clientOf(subAccountId).pipelines.summary(pipelineId, { signal }),
  });
}

/** A column shows this many deals; its head counts all of them. */
const COLUMN_MAX = 50;

/** Returns the open deals of a stage. */
export function useDealsOf(stageId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'opportunities', 'stage', stageId],
    queryFn: ({ signal }) =>
      listDeals(subAccountId, { stageId, status: 'open', limit: COLUMN_MAX }, signal),
  });
}

export const DEAL_STATUSES = ['open', 'won', 'lost', 'abandoned'] as const;
export type DealStatus = (typeof DEAL_STATUSES)[number];

/** A deal of a list, which names its contact. */
export type ListedDeal = Opportunity & { readonly contactName: string | null };

/** Returns a page of deals; the console's endpoint adds the names of the contacts. */
async function listDeals(subAccountId: string, query: OpportunitiesListQuery, signal: AbortSignal) {
  const page = await clientOf(subAccountId).opportunities.list(query, { signal });
  return { ...page, data: page.data as ListedDeal[] };
}

/** Returns the newest deals of all pipelines whose name contains the text. */
export function useFoundDeals(search: string, limit: number, enabled: boolean) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'opportunities', 'palette', search],
    queryFn: ({ signal }) => listDeals(subAccountId, { search, limit }, signal),
    enabled,
    placeholderData: keepPreviousData,
  });
}

interface DealFilter {
  readonly pipelineId: string;
  readonly search: string;
  readonly status: DealStatus | null;
}

const LIST_SIZE = 50;

/** Returns the deals of a pipeline that match, newest first, page by page. */
export function useDeals({ pipelineId, search, status }: DealFilter) {
  const { subAccountId } = usePlace().membership;
  const query = {
    pipelineId,
    ...(search.trim().length >= SEARCH_MIN && { search: search.trim() }),
    ...(status && { status }),
  };
  return useInfiniteQuery({
    queryKey: [subAccountId, 'opportunities', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      listDeals(subAccountId, { ...query, limit: LIST_SIZE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
  });
}

/** The open deals that are expected to close in a month, or `overdue`, `later` or `undated`. */
interface ForecastPeriod {
  readonly period: string;
  readonly currency: string;
  readonly count: number;
  readonly value: number;
  readonly weightedValue: number;
}

export interface Forecast {
  readonly months: readonly string[];
  readonly periods: readonly ForecastPeriod[];
}

/** Returns when the open deals of a pipeline are expected to close. */
export function useForecast(pipelineId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'opportunities', 'forecast', pipelineId],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Forecast>('GET', `/api/v1/pipelines/${pipelineId}/forecast`, {
        options: { signal },
      }),
  });
}

/** Returns one deal; none is loaded for null. */
export function useDeal(id: string | null) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'opportunities', 'one', id],
    queryFn: ({ signal }) => clientOf(subAccountId).opportunities.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** Changes a deal, or creates one where no id is given. */
export function useSaveDeal(id: string | undefined) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { opportunities } = clientOf(subAccountId);
  return useMutation({
    mutationFn: (body: OpportunitiesUpdateBody | OpportunitiesCreateBody) =>
      id === undefined
        ? opportunities.create(body as OpportunitiesCreateBody)
        : opportunities.update(id, body as OpportunitiesUpdateBody),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, 'opportunities'] }),
  });
}

export type DealMove =
  | { readonly kind: 'stage'; readonly deal: Opportunity; readonly stageId: string }
  | { readonly kind: 'won' | 'open'; readonly deal: Opportunity }
  | { readonly kind: 'lost'; readonly deal: Opportunity; readonly reason: string };

/** Moves a deal to another stage, ends it as won or lost, or opens it again. */
export function useMoveDeal() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { opportunities } = clientOf(subAccountId);
  return useMutation({
    mutationFn(move: DealMove) {
      if (move.kind === 'stage') {
        return opportunities.move(move.deal.id, { stageId: move.stageId });
      }
      const lostReason = move.kind === 'lost' && move.reason !== '' ? move.reason : undefined;
      return consoleCalls(subAccountId).data<Opportunity>(
        'PUT',
        `/api/v1/opportunities/${move.deal.id}/outcome`,
        { body: { status: move.kind, ...(lostReason !== undefined && { lostReason }) } },
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'opportunities'] }),
  });
}
