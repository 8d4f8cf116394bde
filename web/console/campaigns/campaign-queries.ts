import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

type Status = 'draft' | 'scheduled' | 'sending' | 'paused' | 'held' | 'sent' | 'cancelled';

export interface CampaignRow {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly status: Status;
  readonly recipients: Readonly<
    Record<'pending' | 'sent' | 'skipped' | 'failed' | 'unknown', number>
  >;
  /** The number of recipients who unsubscribed by the link in the mail. */
  readonly unsubscribed: number;
  readonly scheduledAt: string | null;
  readonly startedAt: string | null;
  readonly createdAt: string;
}

export interface Campaign extends CampaignRow {
  /** The key of the recurring campaign that it is a run of. */
  readonly recurring: string | null;
  readonly listId: string | null;
  /** The code of why it is held, or was sent to no one. */
  readonly problem: string | null;
}

export interface CampaignWithContent extends Campaign {
  /** The name of its template. */
  readonly layout: string;
  readonly preheader: string | null;
  readonly contentHtml: string;
}

export const RECIPIENT_STATUSES = [
  'pending',
  'sending',
  'sent',
  'skipped',
  'failed',
  'unknown',
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** An address of a campaign and what became of its mail. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly contactId: string;
  readonly status: RecipientStatus;
  readonly errorMessage: string | null;
  readonly settledAt: string | null;
  readonly unsubscribedAt: string | null;
}

/** A merge field that no recipient has a value for. */
export interface UnknownField {
  /** As written, such as `{{fristName}}`. */
  readonly source: string;
  /** What every recipient sees instead; empty for nothing. */
  readonly fallback: string;
}

/** A mail as one recipient gets it. */
export interface PreviewedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly preheader: string | null;
  readonly unknownFields: readonly UnknownField[];
  /** The contact that it is merged for. */
  readonly contact: {
    /** Null for an example. */
    readonly contactId: string | null;
    /** Empty for a contact without a name. */
    readonly name: string;
    readonly email: string | null;
  };
}

/** The contact that a mail is merged for; by default the first one of the audience. */
export interface PreviewChoice {
  readonly contactId?: string;
  readonly withoutName?: true;
}

const PAGE_SIZE = 50;
const REFRESH_MS = 3_000;

/** Returns the campaigns, newest first, page by page. */
export function useCampaigns() {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'campaigns', 'list'],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<CampaignRow[], CursorMeta>('GET', '/api/v1/campaigns', {
        query: { limit: PAGE_SIZE, cursor: pageParam },
        options: { signal },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
  });
}

export interface RecipientFilter {
  readonly status: RecipientStatus | undefined;
  /** Part of an address or name; empty for all. */
  readonly search: string;
}

/** Returns the recipients of a campaign that match, page by page. */
export function useRecipients(id: string, { status, search }: RecipientFilter) {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'campaigns', id, 'recipients', status, search],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<Recipient[], CursorMeta>(
        'GET',
        `/api/v1/campaigns/${id}/recipients`,
        {
          query: { limit: PAGE_SIZE, cursor: pageParam, status, ...(search && { q: search }) },
          options: { signal },
        },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
  });
}

/** Returns a campaign; while it is sent, again every few seconds. */
export function useCampaign(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'campaigns', id],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<CampaignWithContent>('GET', `/api/v1/campaigns/${id}`, {
        options: { signal },
      }),
    refetchInterval: ({ state }) => state.data?.status === 'sending' && REFRESH_MS,
  });
}

interface ProgressPoint {
  readonly at: number;
  readonly sent: number;
}

/** Returns how many mails were sent until when; while the campaign is sent, again every few seconds. */
export function useProgress({ id, status }: Campaign) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'campaigns', id, 'progress'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<ProgressPoint[]>('GET', `/api/v1/campaigns/${id}/progress`, {
        options: { signal },
      }),
    refetchInterval: status === 'sending' && REFRESH_MS,
  });
}

/** Returns the mail as a contact gets it. */
export function usePreview(id: string, choice: PreviewChoice = {}) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'campaigns', id, 'preview', choice],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<PreviewedMail>('GET', `/api/v1/campaigns/${id}/preview`, {
        query: { ...choice },
        options: { signal },
      }),
    placeholderData: keepPreviousData,
  });
}

export type CampaignChange = 'pause' | 'resume' | 'unschedule' | 'cancel';

export function useChangeCampaign(id: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (verb: CampaignChange) =>
      consoleCalls(subAccountId).data<Campaign>('POST', `/api/v1/campaigns/${id}/${verb}`, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'campaigns'] }),
  });
}

/** Deletes a draft. */
export function useDeleteDraft(id: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => consoleCalls(subAccountId).data('DELETE', `/api/v1/campaigns/${id}`, {}),
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: [subAccountId, 'campaigns', 'list'], exact: false }),
  });
}
