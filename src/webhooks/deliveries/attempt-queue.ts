import type { Attempt } from './attempt-delivery.ts';
import type { View } from '#core/work.ts';
import type { Target } from './lease.ts';
import { selectsAll } from '../subscriptions/subscription.schema.ts';

/** With fewer new events left, the next ones are read while these are delivered. */
const READ_AHEAD_BELOW = 250;

interface AttemptQueueOptions {
  readonly due: readonly Attempt[];
  /** The position after which new events start. */
  readonly from: number;
  /** Undefined for a disabled subscription. */
  readonly readNew: ((from: number) => Promise<NewEvents>) | undefined;
  /** Whether no further attempt may start. */
  readonly isOver: () => boolean;
}

/** The attempts of one time slice in order, and the position reached by them. */
export interface AttemptQueue {
  /** Returns the next attempt: due ones first, then new events in order. */
  next(): Promise<Attempt | undefined> | Attempt | undefined;
  finished(attempt: Attempt): void;
  /** Returns the position up to which every event was attempted. */
  servedTo(): number;
  /** Returns whether attempts are left. */
  isMore(): boolean;
}

export function openAttemptQueue({
  due,
  from,
  readNew,
  isOver,
}: AttemptQueueOptions): AttemptQueue {
  const waiting = [...due];
  const fresh: Attempt[] = [];
  let readTo = from;
  let isAll = readNew === undefined;
  let reading: Promise<void> | undefined;
  /** Positions of attempts in flight. They start in order, so the first is the smallest. */
  const inFlight = new Set<number>();

  const mayRead = () => !isAll && !isOver();
  const read = () =>
    (reading ??= (async () => {
      const found = await readNew?.(readTo);
      if (found) {
        fresh.push(...found.attempts);
        ({ readTo, isAll } = found);
      }
    })().finally(() => (reading = undefined)));
  const nextFresh = () => {
    const attempt = isOver() ? undefined : fresh.shift();
    if (attempt?.position !== undefined) {
      inFlight.add(attempt.position);
    }
    if (fresh.length < READ_AHEAD_BELOW && mayRead()) {
      // A caller that finds the queue empty reads again and gets the error.
      read().catch(() => undefined);
    }
    return attempt;
  };
  const readThenNext = async () => {
    while (fresh.length === 0 && mayRead()) {
      await read();
    }
    return nextFresh();
  };
  return {
    next() {
      const late = isOver() ? undefined : waiting.shift();
      if (late) {
        return late;
      }
      return fresh.length === 0 && mayRead() ? readThenNext() : nextFresh();
    },
    finished({ position }) {
      if (position !== undefined) {
        inFlight.delete(position);
      }
    },
    servedTo() {
      const [first = fresh[0]?.position] = inFlight;
      return first === undefined ? readTo : first - 1;
    },
    isMore: () => waiting.length > 0 || fresh.length > 0 || !isAll,
  };
}

/** The next events in order, and the position up to which they were read. */
export interface NewEvents {
  readonly attempts: readonly Attempt[];
  readonly readTo: number;
  readonly isAll: boolean;
}

/** The most event data in a page, of which two may be in memory: one event may have 1 MB. */
const BYTES_MAX = 8_000_000;

/** Returns the due pending attempts, oldest first; only manual ones for a disabled subscription. */
export const dueAttempts = (
  view: View,
  { subscriptionId, isActive }: Target,
  atMost: number,
): Promise<Attempt[]> =>
  view.rows<Attempt>(DUE, [
    view.subAccountId,
    subscriptionId,
    isActive ? ['scheduled', 'manual'] : ['manual'],
    atMost,
    BYTES_MAX,
  ]);

const eventIn = (row: string): string =>
  `${row}.name, ${row}.occurred_at as "occurredAt", ${row}.contact_id as "contactId", ${row}.data::text`;

const bytesBefore = (row: string, order: string): string =>
  `sum(octet_length(${row}.data::text)) over (
    order by ${order} rows between unbounded preceding and 1 preceding)`;

/**
 * Read for every time slice, like new events (bench scenario `deliver-webhooks`). Attempts beyond the
 * byte limit stay due for the next read, as does a scheduled attempt beside a manual one of its event:
 * it is deleted if that one succeeds. Events are looked up by id and manual attempts in a hash table:
 * joins would compare all attempts with all events of a sub-account that the statistics do not know.
 */
const DUE = `select d.id, d."eventId", d.attempt, d.trigger, ${eventIn('d')}
  from (
    select d.*, e.*, ${bytesBefore('e', 'd.next_attempt_at, d.id')} as before
    from (
      select d.id, d.event_id as "eventId", d.attempt, d.trigger, d.next_attempt_at
      from webhook_deliveries d
      where d.sub_account_id = $1 and d.subscription_id = $2 and d.status = 'pending'
        and d.trigger = any($3::text[]) and d.next_attempt_at <= now()
        and (d.trigger = 'manual' or (d.event_id in (
          select m.event_id from webhook_deliveries m
          where m.sub_account_id = $1 and m.subscription_id = $2
            and m.status = 'pending' and m.trigger = 'manual'
        )) is not true)
      order by d.next_attempt_at, d.id limit $4
    ) as d
    cross join lateral (
      select name, occurred_at, contact_id, data from events
      where sub_account_id = $1 and id = d."eventId" offset 0
    ) as e
  ) as d
  where before is null or before < $5
  order by d.next_attempt_at, d.id`;

/** Returns the selected events after a position; none once the subscription is disabled. */
export async function newEvents(
  view: View,
  { events, subscriptionId, agent }: Target,
  after: number,
  atMost: number,
): Promise<NewEvents> {
  const rows = await view.rows<Attempt & { head: number; found: number }>(NEW, [
    view.subAccountId,
    after,
    selectsAll(events) ? null : events,
    atMost,
    subscriptionId,
    BYTES_MAX,
  ]);
  const selected = rows.filter(({ eventId }) => eventId !== null);
  const found = rows[0]?.found ?? 0;
  const isAll = found < atMost && selected.length === found;
  const last = isAll ? rows[0]?.head : selected.at(-1)?.position;
  const contactId = agent?.arguments.contactId;
  const attempts = contactId ? selected.filter((one) => one.contactId === contactId) : selected;
  return { attempts, readTo: Math.max(after, last ?? 0), isAll };
}

const NEW = `select head.position as head, e.*
  from (
    select coalesce(max(position), 0) as position from events where sub_account_id = $1
  ) as head
  left join lateral (
    select page.*
    from webhook_subscriptions s
    cross join lateral (
      select e.id as "eventId", e.position, 1 as attempt, 'scheduled' as trigger, ${eventIn('e')},
        count(*) over ()::int as found, ${bytesBefore('e', 'e.position')} as before
      from next_events($1, $2, $3, $4) as e
    ) as page
    where s.sub_account_id = $1 and s.id = $5 and s.status = 'active' and s.deleted_at is null
      and (before is null or before < $6)
  ) as e on true
  order by e.position`;

/** Returns when the earliest attempt is due that will be made; undefined if there is none. */
export async function nextDue(view: View, target: Target): Promise<Date | undefined> {
  const [row] = await view.rows<{ at: Date }>(NEXT, [view.subAccountId, target.subscriptionId]);
  return row?.at;
}

/** Only what DUE returns: a job for anything else would find nothing to do, and queue itself again at once. */
const NEXT = `select d.next_attempt_at as at
  from webhook_subscriptions s
  join webhook_deliveries d on d.sub_account_id = s.sub_account_id and d.subscription_id = s.id
  where s.sub_account_id = $1 and s.id = $2 and s.deleted_at is null and d.status = 'pending'
    and (d.trigger = 'manual' or s.status = 'active' and not exists (
      select from webhook_deliveries m
      where m.sub_account_id = $1 and m.event_id = d.event_id and m.subscription_id = $2
        and m.status = 'pending' and m.trigger = 'manual'
    ))
    and exists (select from events e where e.sub_account_id = $1 and e.id = d.event_id)
  order by d.next_attempt_at limit 1`;
