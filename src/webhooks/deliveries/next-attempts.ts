import type { Attempt } from './attempt-delivery.ts';
import type { View } from '#core/work.ts';
import type { Target } from './lease.ts';

interface OpenReadingInput {
  readonly due: readonly Attempt[];
  /** The position behind which news begins. */
  readonly from: number;
  /** Left out where there is to be none. */
  readonly readNews: ((from: number) => Promise<News>) | undefined;
  /** True once nothing more is to be begun. */
  readonly isOver: () => boolean;
}

/** What a turn of a subscription does, one after the other, and how far it has come. */
export interface Reading {
  /** The next attempt: those that are due, then the news in its order. */
  next(): Promise<Attempt | undefined>;
  finished(attempt: Attempt): void;
  /** Everything up to this position is done. */
  servedTo(): number;
  /** True where something was left. */
  isMore(): boolean;
}

export function openReading({ due, from, readNews, isOver }: OpenReadingInput): Reading {
  const waiting = [...due];
  let news: Attempt[] = [];
  let readTo = from;
  let isAll = readNews === undefined;
  let reading: Promise<void> | undefined;
  /** Positions under way; they are begun in order, so the first is the smallest. */
  const begun = new Set<number>();

  const mayRead = () => !isAll && !isOver();
  const read = async () => {
    const found = await readNews?.(readTo);
    if (found) {
      news = [...found.attempts];
      ({ readTo, isAll } = found);
    }
  };
  return {
    async next() {
      const late = isOver() ? undefined : waiting.shift();
      if (late) {
        return late;
      }
      while (news.length === 0 && mayRead()) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      const attempt = isOver() ? undefined : news.shift();
      if (attempt?.position !== undefined) {
        begun.add(attempt.position);
      }
      return attempt;
    },
    finished({ position }) {
      if (position !== undefined) {
        begun.delete(position);
      }
    },
    servedTo() {
      const [first = news[0]?.position] = begun;
      return first === undefined ? readTo : first - 1;
    },
    isMore: () => waiting.length > 0 || news.length > 0 || !isAll,
  };
}

/** Events that have been read from the order, and how far that reading came. */
export interface News {
  readonly attempts: readonly Attempt[];
  readonly readTo: number;
  readonly isAll: boolean;
}

/** Of events at a time, and no more of them than that: one may be of 1 MB. */
const BYTES_MAX = 8_000_000;

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
    BYTES_MAX,
  ]);

const eventIn = (row: string): string =>
  `${row}.name, ${row}.occurred_at as "occurredAt", ${row}.contact_id as "contactId", ${row}.data::text`;

const bytesBefore = (row: string, order: string): string =>
  `sum(octet_length(${row}.data::text)) over (
    order by ${order} rows between unbounded preceding and 1 preceding)`;

/** Those that are left out for their size are due, and come next. */
const DUE = `select d.id, d."eventId", d.attempt, d.trigger, ${eventIn('d')}
  from (
    select d.*, ${bytesBefore('d', 'd.next_attempt_at, d.id')} as before
    from (
      select d.id, d.event_id as "eventId", d.attempt, d.trigger, d.next_attempt_at,
        e.name, e.occurred_at, e.contact_id, e.data
      from webhook_deliveries d
      join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id
      where d.sub_account_id = $1 and d.subscription_id = $2 and d.status = 'pending'
        and d.trigger = any($3::text[]) and d.next_attempt_at <= $4
      order by d.next_attempt_at, d.id limit $5
    ) as d
  ) as d
  where before is null or before < $6
  order by d.next_attempt_at, d.id`;

/** The next events behind a position that the subscription asks for; none once it is disabled. */
export async function newEvents(
  view: View,
  { events, subscriptionId }: Target,
  after: number,
  atMost: number,
): Promise<News> {
  const rows = await view.rows<Attempt & { head: number; found: number }>(NEW, [
    view.subAccountId,
    after,
    events,
    atMost,
    subscriptionId,
    BYTES_MAX,
  ]);
  const attempts = rows.filter(({ eventId }) => eventId !== null);
  const found = rows[0]?.found ?? 0;
  const isAll = found < atMost && attempts.length === found;
  const last = isAll ? rows[0]?.head : attempts.at(-1)?.position;
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

/** When the earliest of the attempts that may be made is due; undefined where none waits. */
export async function nextDue(view: View, target: Target): Promise<Date | undefined> {
  const [row] = await view.rows<{ at: Date | null }>(NEXT, [
    view.subAccountId,
    target.subscriptionId,
  ]);
  return row?.at ?? undefined;
}

const NEXT = `select min(d.next_attempt_at) as at
  from webhook_subscriptions s
  join webhook_deliveries d on d.sub_account_id = s.sub_account_id and d.subscription_id = s.id
  where s.sub_account_id = $1 and s.id = $2 and s.deleted_at is null and d.status = 'pending'
    and (d.trigger = 'manual' or s.status = 'active')`;
