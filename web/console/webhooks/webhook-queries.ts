import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import type {
  Webhook,
  WebhookDelivery,
  WebhooksCreateBody,
} from '../../../sdk/src/generated/webhooks.ts';
import { clientOf, consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

const PAGE_SIZE = 50;
/** A sub-account has at most as many subscriptions. */
const SUBSCRIPTIONS_MAX = 100;

/** A subscription with the state of its receiver, which only the console shows. */
export interface Subscription extends Webhook {
  readonly failingSince: string | null;
  /** Its deliveries wait and are tried one at a time, until one succeeds. */
  readonly isThrottled: boolean;
  readonly pausedUntil: string | null;
  /** How many deliveries wait. */
  readonly waiting: number;
  readonly previousSecretUntil: string | null;
}

export function useSubscriptions() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'deliveries', 'subscriptions'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).answer<Subscription[], CursorMeta>('GET', '/api/v1/webhooks', {
        query: { limit: SUBSCRIPTIONS_MAX },
        options: { signal },
      }),
  });
}

export type DeliveryStatus = WebhookDelivery['status'];

export interface DeliveryFilter {
  /** Undefined for the attempts of all subscriptions. */
  readonly subscriptionId: string | undefined;
  readonly status: DeliveryStatus | undefined;
  readonly event: string | undefined;
  readonly eventId: string | undefined;
}

/** An attempt; its subscription is left out of the list of one subscription. */
export type ListedDelivery = WebhookDelivery & { readonly subscriptionId?: string };

/** Returns attempts, newest first, page by page. */
export function useDeliveries({ subscriptionId, status, event, eventId }: DeliveryFilter) {
  const { subAccountId } = usePlace().membership;
  const filter = {
    ...(status && { status }),
    ...(event && { event }),
    ...(eventId && { eventId }),
  };
  const path =
    subscriptionId === undefined
      ? '/api/v1/deliveries'
      : `/api/v1/webhooks/${subscriptionId}/deliveries`;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'deliveries', 'attempts', subscriptionId, filter],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<ListedDelivery[], CursorMeta>('GET', path, {
        query: { ...filter, limit: PAGE_SIZE, cursor: pageParam },
        options: { signal },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: (previous) => previous,
  });
}

type HeaderMap = Readonly<Record<string, string>>;

export interface DeliveryDetail extends WebhookDelivery {
  readonly subscriptionId: string;
  readonly request: {
    readonly url: string;
    readonly headers: HeaderMap;
    readonly body: string | null;
  } | null;
  readonly response: {
    readonly status: number;
    readonly headers: HeaderMap | null;
    readonly body: string;
  } | null;
}

export function useDelivery(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'deliveries', 'one', id],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<DeliveryDetail>('GET', `/api/v1/deliveries/${id}`, {
        options: { signal },
      }),
  });
}

/** Returns a mutation after which everything about webhooks is fetched again. */
function useChange<V, R>(change: (subAccountId: string, given: V) => Promise<R>) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: V) => change(subAccountId, given),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'deliveries'] }),
  });
}

/** Sends the event of an attempt again. */
export const useRetry = (subscriptionId: string) =>
  useChange((subAccountId, id: string) =>
    clientOf(subAccountId).webhooks.retry(subscriptionId, id),
  );

/** Which events are sent again: all, or those that failed. */
export type ReplayScope = 'all' | 'failed';

/** The events of a replay: of a time, and of one name unless all are meant. */
export interface ReplaySelection {
  readonly since: Date;
  readonly until: Date | undefined;
  readonly event: string | undefined;
}

const membersOf = ({ since, until, event }: ReplaySelection) => ({
  since: since.toISOString(),
  ...(until && { until: until.toISOString() }),
  ...(event && { event }),
});

interface ReplayInput {
  readonly selection: ReplaySelection;
  readonly only: ReplayScope;
}

/** Sends events since a time again. */
export const useReplay = (subscriptionId: string) =>
  useChange((subAccountId, { selection, only }: ReplayInput) =>
    consoleCalls(subAccountId).data<{ replayed: number }>(
      'POST',
      `/api/v1/webhooks/${subscriptionId}/replay`,
      { body: { ...membersOf(selection), only } },
    ),
  );

/** Returns how many events would be sent again now; nothing without a time. */
export function useReplayCount(subscriptionId: string, selection: ReplaySelection | undefined) {
  const { subAccountId } = usePlace().membership;
  const members = selection && membersOf(selection);
  return useQuery({
    queryKey: [subAccountId, 'deliveries', 'replay', subscriptionId, members],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Readonly<Record<ReplayScope, number>>>(
        'GET',
        `/api/v1/webhooks/${subscriptionId}/replay`,
        { query: members ?? {}, options: { signal } },
      ),
    enabled: members !== undefined,
    placeholderData: (previous) => previous,
  });
}

interface SaveInput {
  /** Undefined for a new subscription. */
  readonly id: string | undefined;
  readonly body: WebhooksCreateBody;
}

export const useSaveSubscription = () =>
  useChange(
    async (
      subAccountId,
      { id, body }: SaveInput,
    ): Promise<{ readonly secret?: string | undefined }> =>
      id === undefined
        ? clientOf(subAccountId).webhooks.create(body)
        : clientOf(subAccountId)
            .webhooks.update(id, body)
            .then(() => ({})),
  );

export function useSubscriptionActions(id: string) {
  return {
    test: useChange<void, unknown>((subAccountId) => clientOf(subAccountId).webhooks.test(id)),
    setStatus: useChange((subAccountId, status: 'active' | 'disabled') =>
      clientOf(subAccountId).webhooks.update(id, { status }),
    ),
    rotate: useChange(
      (
        subAccountId,
        gracePeriodSeconds: number,
      ): Promise<{ readonly secret?: string | undefined }> =>
        clientOf(subAccountId).webhooks.regenerateSecret(id, { gracePeriodSeconds }),
    ),
    endPreviousSecret: useChange<void, unknown>((subAccountId) =>
      consoleCalls(subAccountId).data('DELETE', `/api/v1/webhooks/${id}/previous-secret`, {}),
    ),
    remove: useChange<void, unknown>((subAccountId) => clientOf(subAccountId).webhooks.delete(id)),
  };
}
