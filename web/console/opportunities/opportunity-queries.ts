import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import { clientOf } from '../api/client.ts';
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
      clientOf(subAccountId).opportunities.list(
        { stageId, status: 'open', limit: COLUMN_MAX },
        { signal },
      ),
  });
}

export type DealMove =
  | { readonly kind: 'stage'; readonly deal: Opportunity; readonly stageId: string }
  | { readonly kind: 'won'; readonly deal: Opportunity }
  | { readonly kind: 'lost'; readonly deal: Opportunity; readonly reason: string };

/** Moves a deal to another stage, or ends it as won or lost. */
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
      return opportunities.setStatus(move.deal.id, {
        status: move.kind,
        ...(lostReason !== undefined && { lostReason }),
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'opportunities'] }),
  });
}
