import { optedOut } from '../../contacts/consent/suppressions.ts';
import type { Work } from '#core/work.ts';
import type { AddedLanguages } from '#lib/translate.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';

/** An upcoming appointment with everything that a message about it needs. */
export interface NoticeSubject {
  readonly id: string;
  readonly title: string;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly seriesId: string | null;
  readonly calendar: string;
  /** The name of the member who takes it. */
  readonly member: string | null;
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
  readonly languages: AddedLanguages;
  /** The name of the business that customers know, its color and logo. */
  readonly brand: string;
  readonly brandColor: string | null;
  readonly logoUrl: string | null;
}

/**
 * Locks and returns the appointment. Returns undefined if it was cancelled or moved, has begun, or has
 * no contact. `channel` defaults to the confirmation's.
 */
export async function readNoticeSubject(
  work: Work,
  { appointmentId, startTime }: { readonly appointmentId: string; readonly startTime: number },
  channel: Confirmation['channel'] | null = null,
): Promise<NoticeSubject | undefined> {
  const { subAccountId, now } = work;
  await work.rows(LOCK_APPOINTMENT, [subAccountId, appointmentId]);
  const values = [subAccountId, appointmentId, new Date(startTime), now, channel];
  const [subject] = await work.rows<NoticeSubject>(SUBJECT, values);
  return subject;
}

/** A statement of its own: after waiting for a merge, the next statement reads the merged contact. */
const LOCK_APPOINTMENT = 'select from appointments where sub_account_id = $1 and id = $2 for share';

const SUBJECT = `select a.id, coalesce(a.title, k.name) as title, a.start_time as "startTime",
    a.end_time as "endTime", a.series_id as "seriesId", k.name as calendar, m.name as member,
    k.confirmation, k.reminders,
    c.id as "contactId", c.email, c.phone, c.dnd, ${optedOut('null::text')} as "isOptedOut",
    c.timezone as "contactZone", coalesce(k.timezone, s.timezone) as "calendarZone", s.locale, s.languages,
    coalesce(s.brand, s.name) as brand, s.brand_color as "brandColor", s.logo_url as "logoUrl"
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
  join sub_accounts s on s.id = a.sub_account_id
  left join team_members m on m.sub_account_id = a.sub_account_id and m.id = a.assigned_to
  cross join lateral (values (coalesce($5::text, k.confirmation ->> 'channel'))) as v (channel)
  where a.sub_account_id = $1 and a.id = $2 and a.start_time = $3 and a.start_time > $4
    and a.status in ('scheduled', 'confirmed') and c.deleted_at is null and s.deleted_at is null`;
