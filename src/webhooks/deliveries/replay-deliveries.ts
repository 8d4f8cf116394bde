import type { View, Work } from '#core/work.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';
import { lockSubscription } from '../subscriptions/subscription.store.ts';
import { timeDigits } from '#lib/id.ts';
import { HOUR_MS } from '#lib/duration.ts';
import { queueDelivery } from './webhooks.jobs.ts';

export interface Replay {
  readonly subscriptionId: string;
  /** Replays events from this time on. */
  readonly since: Date;
  /** Replays events before this time; up to now by default. */
  readonly until?: Date | undefined;
  /** Replays events of this name; all that the subscription selects by default. */
  readonly event?: string | undefined;
  /** `failed`: only events of which an attempt failed and none succeeded. */
  readonly only?: 'all' | 'failed' | undefined;
}

/** Returns how many events a replay would send now. */
export async function countReplay(view: View, replay: Replay): Promise<number> {
  const [row] = await view.rows<Count>(COUNT, valuesOf(view, replay));
  return row?.count ?? 0;
}

/** Returns how many of these events the receiver has already accepted. */
export async function countDelivered(view: View, replay: Replay): Promise<number> {
  const [row] = await view.rows<Count>(COUNT_DELIVERED, valuesOf(view, replay));
  return row?.count ?? 0;
}

/**
 * Sends the selected events of a subscription again, at once and in order, whatever its status.
 * Returns the number of events. Skips events that are about to be sent anyway: those of an active
 * subscription without an attempt, and those with a pending manual attempt.
 */
export async function replayDeliveries(work: Work, replay: Replay): Promise<number> {
  const { subscriptionId } = replay;
  // Two replays at a time would send events twice. The row is locked after the search: deliveries wait for it.
  await lockTexts(work, `replay ${subscriptionId}`);
  const { now } = work;
  const values = [...valuesOf(work, replay), now, timeDigits(now)];
  const [row] = await work.rows<Count>(INSERT, values);
  const replayed = row?.count ?? 0;
  const subscription = await lockSubscription(work, subscriptionId);
  if (replayed > 0) {
    subscription.pausedUntil = null;
    queueDelivery(work, subscriptionId);
  }
  work.audit(subscriptionId);
  return replayed;
}

interface Count {
  readonly count: number;
}

/** With different clocks on two machines, an attempt may seem to precede its event. */
const CLOCK_SKEW_MS = HOUR_MS;

const valuesOf = ({ subAccountId }: View, replay: Replay): unknown[] => {
  const { subscriptionId, since, until, event, only } = replay;
  return [
    subAccountId,
    subscriptionId,
    since,
    new Date(since.getTime() - CLOCK_SKEW_MS),
    only === 'failed',
    until ?? null,
    event ?? null,
  ];
};

/**
 * The selected events with what their deliveries say. A group of both, not a join: PostgreSQL would compare each
 * event with each delivery of a sub-account that its statistics do not know. Materialized: otherwise it would
 * start parallel workers, which takes longer than the rest.
 */
const REPLAYED = `from (
    with made as materialized (
      select e.id as event_id, e.name, e.position,
        e.position <= s.position or s.status = 'disabled' as is_passed,
        null::integer as attempt, null::text as status, null::text as trigger
      from webhook_subscriptions s
      join events e on e.sub_account_id = s.sub_account_id
        and (e.name = any(s.events) or '*' = any(s.events))
        and (s.arguments ->> 'contactId' is null or e.contact_id = (s.arguments ->> 'contactId')::uuid)
      where s.sub_account_id = $1 and s.id = $2 and s.deleted_at is null
        and e.occurred_at >= $3 and e.position is not null
        and ($6::timestamptz is null or e.occurred_at < $6) and ($7::text is null or e.name = $7)
      union all
      select event_id, null, null, null, attempt, status, trigger
      from webhook_deliveries
      where sub_account_id = $1 and subscription_id = $2 and created_at >= $4
    )
    select event_id, max(name) as name, max(position) as position, max(attempt) as attempt,
      bool_or(status = 'succeeded') as is_delivered
    from made group by event_id
    having max(position) is not null
      and bool_or(status = 'pending' and trigger = 'manual') is not true
      and (not $5::boolean
        or bool_or(status = 'failed') and bool_or(status = 'succeeded') is not true)
      and (max(attempt) is not null or bool_or(is_passed))
  ) as replayed`;

const COUNT = `select count(*)::int as count ${REPLAYED}`;

const COUNT_DELIVERED = `${COUNT} where is_delivered`;

/** The ids are UUIDv7 that increase in the order of the events: they are sent in that order. */
const INSERT = `with replayed as (
    select event_id, name, coalesce(attempt, 0) + 1 as attempt,
      lpad(to_hex(row_number() over (order by position)), 8, '0') as n
    ${REPLAYED}
  ), written as (
    insert into webhook_deliveries (sub_account_id, id, subscription_id, event_id, event, attempt,
      trigger, status, created_at, next_attempt_at)
    select $1, ($9 || '7' || left(n, 3) || '8' || right(n, 5) || right(gen_random_uuid()::text, 10))::uuid,
      $2, event_id, name, attempt, 'manual', 'pending', $8, least($8::timestamptz, now())
    from replayed order by n
    returning id
  )
  select count(*) from written`;
