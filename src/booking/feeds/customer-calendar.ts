import type { View } from '#core/work.ts';
import { customerIcs, type CustomerEvent } from './appointment-ics.ts';

interface CustomerCalendarQuery {
  readonly appointmentIds: readonly string[];
  /** The page where the customer manages the appointments. */
  readonly url: string;
}

/**
 * Returns the `.ics` file of these appointments, in the order of their ids: the one file that mails carry
 * and the appointment page offers, so that both give the customer's calendar the same event.
 */
export async function customerCalendar(
  view: View,
  { appointmentIds, url }: CustomerCalendarQuery,
): Promise<string> {
  const values = [view.subAccountId, appointmentIds];
  const events = await view.rows<Omit<CustomerEvent, 'url'>>(EVENTS, values);
  return customerIcs(events.map((event) => ({ ...event, url })));
}

const EVENTS = `select a.id, coalesce(a.title, t.name, k.name) as title,
    a.start_time as start, a.end_time as "end",
    a.created_at as "createdAt", a.updated_at as "updatedAt",
    a.status = 'cancelled' as "isCancelled", coalesce(s.brand, s.name) as host,
    coalesce(t.location, t.video_url) as location
  from appointments a
  join sub_accounts s on s.id = a.sub_account_id
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  left join appointment_types t on t.sub_account_id = a.sub_account_id
    and t.id = a.appointment_type_id and t.deleted_at is null
  where a.sub_account_id = $1 and a.id = any($2::uuid[])
  order by a.id`;
