import { FORMATS } from '#core/schema/formats.ts';
import type { MergeValues } from '#lib/merge-fields.ts';
import type { Work } from '#core/work.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import { optedOut } from '../../conversations/messages/is-suppressed.ts';

/** An appointment that is still to take place, and whatever its customer is written about it. */
export interface Noticed {
  readonly id: string;
  readonly title: string;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly seriesId: string | null;
  readonly calendar: string;
  readonly confirmation: Confirmation | null;
  readonly reminders: readonly Reminder[];
  readonly contactId: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly dnd: DoNotDisturb;
  readonly isOptedOut: boolean;
  readonly contactZone: string | null;
  readonly calendarZone: string;
  readonly locale: string;
  /** The business, as customers know it. */
  readonly brand: string;
}

/**
 * Held until it is written; nothing where it was cancelled, moved, has begun, or its contact is gone.
 * The channel is that of the confirmation unless given.
 */
export async function readNotice(
  work: Work,
  { appointmentId, startTime }: { readonly appointmentId: string; readonly startTime: number },
  channel: Confirmation['channel'] | null = null,
): Promise<Noticed | undefined> {
  const { subAccountId, now } = work;
  await work.rows(LOCK_APPOINTMENT, [subAccountId, appointmentId]);
  const values = [subAccountId, appointmentId, new Date(startTime), now, channel];
  const [found] = await work.rows<Noticed>(NOTICED, values);
  return found;
}

/** By itself, and before it is read: who waits here for a merge to end reads whose it is by then. */
const LOCK_APPOINTMENT = 'select from appointments where sub_account_id = $1 and id = $2 for share';

const NOTICED = `select a.id, coalesce(a.title, k.name) as title, a.start_time as "startTime",
    a.end_time as "endTime", a.created_at as "createdAt", a.updated_at as "updatedAt",
    a.series_id as "seriesId", k.name as calendar, k.confirmation, k.reminders,
    c.id as "contactId", c.email, c.phone, c.dnd, ${optedOut('null::text')} as "isOptedOut",
    c.timezone as "contactZone", coalesce(k.timezone, s.timezone) as "calendarZone", s.locale,
    coalesce(s.brand, s.name) as brand
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
  join sub_accounts s on s.id = a.sub_account_id
  cross join lateral (values (coalesce($5::text, k.confirmation ->> 'channel'))) as v (channel)
  where a.sub_account_id = $1 and a.id = $2 and a.start_time = $3 and a.start_time > $4
    and a.status in ('scheduled', 'confirmed') and c.deleted_at is null and s.deleted_at is null`;

/** What the merge fields of an appointment stand for; times in the contact's zone, else the calendar's. */
export async function mergeValuesOfNotice(
  noticed: Noticed,
  link: string,
  starts: readonly Date[] = [noticed.startTime],
): Promise<MergeValues> {
  const { title, endTime, calendar, locale } = noticed;
  // Loaded with the first notice: it brings the time zones along.
  const { slotLabel } = await import('../../calendars/slots/slot-label.ts');
  const zone = zoneOf(noticed);
  return {
    'appointment.title': title,
    'appointment.start': starts.map((one) => slotLabel(one.getTime(), zone, locale)).join('; '),
    'appointment.end': slotLabel(endTime.getTime(), zone, locale),
    'appointment.calendar': calendar,
    'appointment.link': link,
  };
}

const zoneOf = ({ contactZone, calendarZone }: Noticed): string =>
  contactZone !== null && FORMATS['time-zone']?.test(contactZone) ? contactZone : calendarZone;
