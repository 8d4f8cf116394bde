import type { View } from '#core/work.ts';
import type { HeldAppointment } from '../appointments/lock-appointment.ts';

/** What a calendar lets customers do with their bookings. */
interface CustomerRules {
  readonly allowCustomerReschedule: boolean;
  /** Minutes before the start, as is the next. */
  readonly cancelNotice: number;
  readonly rescheduleNotice: number;
}

/** An appointment as its customer sees it; times are epoch milliseconds. */
export interface CustomerAppointment extends HeldAppointment {
  readonly title: string | null;
  readonly typeName: string | null;
  readonly partOfSeries: boolean;
  readonly timezone: string;
  readonly locale: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly rules: CustomerRules;
}

const EPOCH_MS = (column: string) => `(extract(epoch from ${column}) * 1000)::int8`;

/** `$1` is the sub-account; conditions on `a` follow. */
export const CUSTOMER_APPOINTMENTS = `
  select a.id, a.calendar_id as "calendarId", a.appointment_type_id as "appointmentTypeId",
    a.contact_id as "contactId", a.status, a.title, coalesce(t.name, a.title) as "typeName",
    ${EPOCH_MS('a.start_time')} as "startTime", ${EPOCH_MS('a.end_time')} as "endTime",
    ${EPOCH_MS('a.created_at')} as "createdAt", ${EPOCH_MS('a.updated_at')} as "updatedAt",
    a.series_id is not null as "partOfSeries",
    coalesce(c.timezone, s.timezone) as timezone, s.locale,
    json_build_object('allowCustomerReschedule', c.allow_customer_reschedule,
      'cancelNotice', c.cancel_notice, 'rescheduleNotice', c.reschedule_notice) as rules
  from appointments a
  join sub_accounts s on s.id = a.sub_account_id and s.deleted_at is null
  join calendars c on c.sub_account_id = a.sub_account_id and c.id = a.calendar_id
  left join appointment_types t
    on t.sub_account_id = a.sub_account_id and t.id = a.appointment_type_id
  where a.sub_account_id = $1`;

/** The appointment of that id, whosoever it is. */
export async function readCustomerAppointment(
  view: View,
  id: string,
): Promise<CustomerAppointment | undefined> {
  const [found] = await view.rows<CustomerAppointment>(ONE, [view.subAccountId, id]);
  return found;
}

const ONE = `${CUSTOMER_APPOINTMENTS} and a.id = $2`;
