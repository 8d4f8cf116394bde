import type { Static } from 'typebox';
import { pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { notFound } from '#core/fault.ts';
import { epochColumn, isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import type { ListedPlace, waitingQuery } from './waiting.schema.ts';

interface PlaceRow extends Omit<ListedPlace, 'date'> {
  /** The first instant of the day, in epoch milliseconds. */
  readonly from: number;
}

/** Returns a page of those who wait for a day that is not over, in the order in which they are served. */
export async function findWaiting(
  view: View,
  query: Static<typeof waitingQuery>,
  after: string | undefined,
): Promise<Reply> {
  const size = pageSize(query);
  const filters = [query.calendarId ?? null, query.appointmentTypeId ?? null, after ?? null];
  // One row more than the page shows whether another page follows.
  const rows = await view.rows<PlaceRow>(LIST, [view.subAccountId, view.now, ...filters, size + 1]);
  const page = rows.slice(0, size).map(listed);
  return { data: page, next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
}

/** Throws `NOT_FOUND` unless the customer still waits. */
export async function assertWaiting(view: View, id: string): Promise<void> {
  const [found] = await view.rows(FIND, [view.subAccountId, view.now, id]);
  if (!found) {
    throw notFound('place');
  }
}

function listed({ from, ...place }: PlaceRow): ListedPlace {
  return { ...place, date: localDate(place.timezone, from) };
}

const WAITS = `e.sub_account_id = $1 and e.state in ('waiting', 'offered') and e.until_time > $2`;

const FIND = `select e.id from waiting_entries e where ${WAITS} and e.id = $3`;

const LIST = `select e.id, t.calendar_id as "calendarId", t.id as "appointmentTypeId",
    e.contact_id as "contactId",
    json_build_object('firstName', c.first_name, 'lastName', c.last_name, 'email', c.email,
      'phone', c.phone) as contact,
    case when o.id is null then 'waiting' else 'offered' end as status,
    ${epochColumn('e.from_time')} as "from", e.timezone,
    ${isoText('e.created_at')} as "createdAt",
    case when o.id is not null then json_build_object('startTime', ${isoText('o.start_time')},
      'endTime', ${isoText('o.end_time')}, 'expiresAt', ${isoText('o.expires_at')}) end as offer
  from waiting_entries e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  join appointment_types t
    on t.sub_account_id = e.sub_account_id and t.id = e.appointment_type_id
  left join waiting_offers o on o.sub_account_id = e.sub_account_id and o.entry_id = e.id
    and o.state = 'offered' and o.expires_at > $2
  where ${WAITS} and ($3::uuid is null or t.calendar_id = $3)
    and ($4::uuid is null or t.id = $4) and ($5::uuid is null or e.id > $5)
  order by e.id limit $6`;
