import type { Static } from 'typebox';
import { feedQuery, pageSize, type Reply } from '#kit/endpoint.ts';
import { json } from '#kit/json.ts';
import * as s from '#kit/schema.ts';
import type { View } from '#kit/work.ts';
import { publishAll } from '#platform/publisher.ts';
import { eventData, type Account, type StoredEvent } from './event-body.ts';
import { headPosition } from './head-position.ts';

export const eventQuery = s.strict(feedQuery);
type EventQuery = Static<typeof eventQuery>;

/**
 * The events behind a place, oldest first and without gaps. A page that says there is no more ends
 * with the last that was committed when it was asked for.
 */
export async function findEvents(
  view: View,
  query: EventQuery,
  after: string | undefined,
): Promise<Reply> {
  const from = after === undefined ? await beginning(view, query) : Number(after);
  const size = pageSize(query);
  const found = await completePage(view, from, size + 1);
  const shown = found.slice(0, size);
  return {
    data: json(`[${shown.map(rowOf).join(',')}]`),
    next: String(shown.at(-1)?.position ?? from),
    more: found.length > size,
  };
}

const beginning = async (view: View, { start }: EventQuery): Promise<number> =>
  start === 'latest' ? headPosition(view) : 0;

/** Where a page came out short while events wait for their positions, they get them first. */
async function completePage(view: View, from: number, size: number): Promise<Placed[]> {
  const { found, isWaiting } = await readPage(view, from, size);
  if (found.length === size || !isWaiting) {
    return found;
  }
  await publishAll(view);
  return (await readPage(view, from, size)).found;
}

/** An event in its place in the order of the sub-account's events. */
interface Placed extends StoredEvent, Account {
  readonly id: string;
  readonly position: number;
}

async function readPage(view: View, from: number, size: number) {
  const values = [view.subAccountId, from, size];
  const rows = await view.rows<Placed & { readonly isWaiting: boolean }>(PAGE, values);
  return {
    found: rows.filter(({ id }) => id !== null),
    isWaiting: rows[0]?.isWaiting === true,
  };
}

/** One snapshot tells both, so that an event on its way from the outbox is seen in one of them. */
const PAGE = `select s.id as "subAccountId", s.location_id as "locationId",
    exists (select from outbox where sub_account_id = $1) as "isWaiting", e.*
  from sub_accounts s
  left join lateral (
    select id, position, name, contact_id as "contactId", data::text, occurred_at as "occurredAt"
    from events
    where sub_account_id = $1 and position > $2
    order by position limit $3
  ) as e on true
  where s.id = $1
  order by e.position`;

const rowOf = (event: Placed): string =>
  `{"id":"${event.id}","event":${JSON.stringify(event.name)},` +
  `"timestamp":"${event.occurredAt.toISOString()}","data":${eventData(event, event)}}`;
