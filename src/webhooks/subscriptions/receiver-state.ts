import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { BREAKS_AT } from './health.ts';

/** Whether the breaker of the subscription `s` is open. */
export const IS_THROTTLED = `s.status = 'active' and s.consecutive_failures >= ${BREAKS_AT}`;

/** Whether the subscription `s` has not reached the event `e`, which it selects. */
export const IS_UNREAD = `e.position > s.position
  and (e.name = any(s.events) or '*' = any(s.events))
  and (s.arguments ->> 'contactId' is null or e.contact_id = (s.arguments ->> 'contactId')::uuid)`;

/** The state of a subscription's receiver. */
export interface ReceiverState {
  /** The time of the first of the failures in a row. */
  readonly failingSince: string | null;
  /** The number of events that wait to be sent. */
  readonly waiting: number;
}

/** Returns the state of each receiver by the id of its subscription, of all sub-accounts or one. */
export async function findReceiverStates(
  view: View,
  subAccountId: string | undefined,
): Promise<ReadonlyMap<string, ReceiverState>> {
  const rows = await view.rows<ReceiverState & { id: string }>(STATES, [subAccountId ?? null]);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** Counted by sub-account: a node has the events and deliveries of its subscriptions only. */
const STATES = `select s.id, ${isoText('s.failing_since')} as "failingSince",
    (coalesce(due.count, 0) + coalesce(unread.count, 0))::int as waiting
  from webhook_subscriptions s
  left join (
    select sub_account_id, subscription_id, count(*) from webhook_deliveries
    where status = 'pending' group by sub_account_id, subscription_id
  ) as due on due.sub_account_id = s.sub_account_id and due.subscription_id = s.id
  left join (
    select s.sub_account_id, s.id, count(*) from webhook_subscriptions s
    join events e on e.sub_account_id = s.sub_account_id and ${IS_UNREAD}
    where ${IS_THROTTLED} and s.deleted_at is null
    group by s.sub_account_id, s.id
  ) as unread on unread.sub_account_id = s.sub_account_id and unread.id = s.id
  where s.deleted_at is null and ($1::uuid is null or s.sub_account_id = $1)`;
