import { pageSize, feedQuery } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import type { Static } from 'typebox';
import { json } from '#core/schema/json.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { publishOwn } from '#platform/notify/publish-own.ts';
import { type Account, type StoredEvent, eventRow } from './event-body.ts';

/** A page ends early at this size of event data. */
const PAGE_BYTES = 8_000_000;

export const eventQuery = s.request(feedQuery);
type EventQuery = Static<typeof eventQuery>;

/**
 * Returns the events after a position, oldest first and without gaps. A page without `more` ends with
 * the last event that was committed before the request.
 */
export async function findEvents(
  view: View,
  query: EventQuery,
  after: string | undefined,
): Promise<Reply> {
  const from = after === undefined ? await startPosition(view, query) : Number(after);
  const { events, more } = await readFeed(view, from, pageSize(query));
  return {
    data: json(`[${events.map((event) => eventRow(event.id, event)).join(',')}]`),
    next: String(events.at(-1)?.position ?? from),
    more,
  };
}

/** Returns up to `size` events after a position, oldest first, and whether there are more now. */
export async function readFeed(
  view: View,
  from: number,
  size: number,
): Promise<{ readonly events: readonly PositionedEvent[]; readonly more: boolean }> {
  const { found, count } = await completePage(view, from, size + 1);
  const events = found.slice(0, size);
  return { events, more: count > events.length };
}

const startPosition = async (view: View, { start }: EventQuery): Promise<number> =>
  start === 'latest' ? headPosition(view) : 0;

/** If a short page could miss events without a position, publishes them and reads again. */
async function completePage(view: View, from: number, size: number): Promise<PageOfEvents> {
  const page = await readPage(view, from, size);
  if (page.count === size || !page.isWaiting) {
    return page;
  }
  await publishOwn(view);
  return readPage(view, from, size);
}

/** An event with its position among those of the sub-account. */
export interface PositionedEvent extends StoredEvent, Account {
  readonly id: string;
  readonly position: number;
}

interface PageOfEvents {
  readonly found: readonly PositionedEvent[];
  /** Includes events that were left out because of their size. */
  readonly count: number;
  readonly isWaiting: boolean;
}

async function readPage(view: View, from: number, size: number): Promise<PageOfEvents> {
  const values = [view.subAccountId, from, size, PAGE_BYTES];
  const rows = await view.rows<PositionedEvent & Pick<PageOfEvents, 'count' | 'isWaiting'>>(
    PAGE,
    values,
  );
  return {
    found: rows.filter(({ id }) => id !== null),
    count: rows[0]?.count ?? 0,
    isWaiting: rows[0]?.isWaiting === true,
  };
}

/** One snapshot of outbox and events, so that an event moving between them is seen in one of them. */
const PAGE = `select s.id as "subAccountId", s.location_id as "locationId",
    exists (select from outbox where sub_account_id = $1) as "isWaiting", e.*
  from sub_accounts s
  left join lateral (
    select * from (
      select id, position, name, contact_id as "contactId", data::text,
        occurred_at as "occurredAt", count(*) over ()::int as count,
        sum(octet_length(data::text)) over (
          order by position rows between unbounded preceding and 1 preceding) as before
      from (
        select * from events where sub_account_id = $1 and position > $2
        order by position limit $3
      ) as page
    ) as sized
    where before is null or before < $4
  ) as e on true
  where s.id = $1
  order by e.position`;

/**
 * Publishes the sub-account's committed events and returns the greatest position. Events that are
 * committed later get greater positions. In a Work, other publishers wait until it ends.
 */
export async function headPosition(view: View): Promise<number> {
  await publishOwn(view);
  const [head] = await view.rows<{ position: number }>(HEAD, [view.subAccountId]);
  return head?.position ?? 0;
}

const HEAD = `select coalesce(max(position), 0)::int8 as position from events
  where sub_account_id = $1`;
