import type { View } from '#kit/work.ts';
import type { Attempt } from './attempt-delivery.ts';
import type { Target } from './delivery-target.ts';

/** Events that have been read from the order, and how far that reading came. */
export interface News {
  readonly attempts: readonly Attempt[];
  readonly readTo: number;
  readonly isAll: boolean;
}

/** Attempts that have waited long enough, the longest first; of a disabled subscription only manual ones. */
export const dueAttempts = (
  view: View,
  { subscriptionId, isActive }: Target,
  atMost: number,
): Promise<Attempt[]> =>
  view.rows<Attempt>(DUE, [
    view.subAccountId,
    subscriptionId,
    isActive ? ['scheduled', 'manual'] : ['manual'],
    view.now,
    atMost,
  ]);

const EVENT = `e.name, e.occurred_at as "occurredAt", e.contact_id as "contactId", e.data::text`;

const DUE = `select d.id, d.event_id as "eventId", d.attempt, d.trigger, ${EVENT}
  from webhook_deliveries d
  join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id
  where d.sub_account_id = $1 and d.subscription_id = $2 and d.status = 'pending'
    and d.trigger = any($3::text[]) and d.next_attempt_at <= $4
  order by d.next_attempt_at, d.id limit $5`;

/** The next events behind a position that the subscription asks for; none once it is disabled. */
export async function newEvents(
  view: View,
  { events, subscriptionId }: Target,
  after: number,
  atMost: number,
): Promise<News> {
  const rows = await view.rows<Attempt & { head: number }>(NEW, [
    view.subAccountId,
    after,
    events,
    atMost,
    subscriptionId,
  ]);
  const attempts = rows.filter(({ eventId }) => eventId !== null);
  const isAll = attempts.length < atMost;
  const last = isAll ? rows[0]?.head : attempts.at(-1)?.position;
  return { attempts, readTo: Math.max(after, last ?? 0), isAll };
}

const NEW = `select head.position as head, e.*
  from (
    select coalesce(max(position), 0) as position from events where sub_account_id = $1
  ) as head
  left join lateral (
    select e.id as "eventId", e.position, 1 as attempt, 'scheduled' as trigger, ${EVENT}
    from webhook_subscriptions s, next_events($1, $2, $3, $4) as e
    where s.sub_account_id = $1 and s.id = $5 and s.status = 'active' and s.deleted_at is null
  ) as e on true
  order by e.position`;

/** When the earliest of the attempts that wait is due; undefined where none waits. */
export async function nextDue(view: View, target: Target): Promise<Date | undefined> {
  const [row] = await view.rows<{ at: Date | null }>(NEXT, [
    view.subAccountId,
    target.subscriptionId,
  ]);
  return row?.at ?? undefined;
}

const NEXT = `select min(next_attempt_at) as at from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and status = 'pending'`;
