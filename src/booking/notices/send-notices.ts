import { optedOut, isSuppressed } from '../../contacts/consent/suppressions.ts';
import { handle } from '#core/job.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work } from '#core/work.ts';
import type { AddedLanguages } from '#lib/translate.ts';
import { countFields, type MergeValues } from '#lib/merge-fields.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import type { NOTICE_FIELDS } from '../../calendars/notice-texts.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import type { Attachment } from '../../conversations/messages/insert-message.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { ICS_TYPE } from '../feeds/appointment-ics.ts';
import { customerCalendar } from '../feeds/customer-calendar.ts';
import { languageOf } from '../pages/layout.ts';
import { linkTo } from '../pages/manage/manage-link.ts';
import { brandedMail } from './branded-mail.ts';
import { confirmAppointment, remindOfAppointment } from './booking.jobs.ts';

/** Sends one confirmation per booking or move, even if the worker is killed halfway. */
export const handleConfirmation = handle(
  confirmAppointment,
  async ({ subAccountId, ...input }, context) => {
    const { transact, actor, log } = context;
    const { appointmentId } = input;
    const link = linkTo(context, { subAccountId, appointmentId });
    const reason = await transact(subAccountId, actor, (work) => confirm(work, input, link));
    if (reason !== undefined) {
      log.warn({ subAccountId, appointmentId }, `no confirmation was sent: ${reason}`);
    }
  },
);

interface ConfirmInput {
  readonly appointmentId: string;
  readonly startTime: number;
  /** The id of the booking's or the move's confirmation. */
  readonly noticeId: string;
  readonly isMove: boolean;
}

/** Returns the reason if the customer could not be written to. */
async function confirm(
  work: Work,
  { noticeId, isMove, ...appointment }: ConfirmInput,
  link: string,
): Promise<string | undefined> {
  const subject = await readNoticeSubject(work, appointment);
  if (!subject?.confirmation) {
    return undefined;
  }
  if (!(await claimNotice(work, subject.id, `confirmation ${noticeId}`))) {
    return undefined;
  }
  const dates = isMove ? [subject] : await datesOf(work, subject);
  if (dates[0]?.id !== subject.id) {
    return undefined;
  }
  const template = withLink(subject.confirmation, subject);
  const starts = dates.map(({ startTime }) => startTime);
  const values = mergeValuesOf(subject, link, starts);
  const attachment = await confirmationFile(work, dates, link);
  return writeNotice(work, { subject, template, values, attachment });
}

type ConfirmedDate = Pick<NoticeSubject, 'id' | 'startTime'>;

/** A series is confirmed once, with its first appointment: the list starts with that one. */
async function datesOf(work: Work, subject: NoticeSubject): Promise<readonly ConfirmedDate[]> {
  const { seriesId } = subject;
  return seriesId === null ? [subject] : work.rows(SERIES, [work.subAccountId, seriesId]);
}

const SERIES = `select id, start_time as "startTime"
  from appointments
  where sub_account_id = $1 and series_id = $2 and status in ('scheduled', 'confirmed')
  order by id`;

/** Returns the appointments for the customer's own calendar. An event that it already has is moved. */
async function confirmationFile(
  work: Work,
  dates: readonly ConfirmedDate[],
  url: string,
): Promise<Attachment> {
  const appointmentIds = dates.map(({ id }) => id);
  const content = await customerCalendar(work, { appointmentIds, url });
  return { name: 'appointment.ics', type: ICS_TYPE, content };
}

const LINK = 'appointment.link';

/** Every confirmation by mail has the link to cancel or move the appointment (contract 7). */
function withLink(template: Confirmation, { locale, languages }: NoticeSubject): Confirmation {
  if (template.channel === 'sms' || countFields(template.body, LINK) > 0) {
    return template;
  }
  const { messages } = languageOf(locale, languages);
  return {
    ...template,
    body: `${template.body.trimEnd()}\n\n${messages.manageLink(`{{${LINK}}}`)}`,
  };
}

/** Sends the calendar's current text once per start, unless the reminder was removed. */
export const handleReminder = handle(
  remindOfAppointment,
  async ({ subAccountId, ...input }, context) => {
    const { transact, actor, log } = context;
    const { appointmentId, before } = input;
    const link = linkTo(context, { subAccountId, appointmentId });
    const reason = await transact(subAccountId, actor, (work) => remind(work, input, link));
    if (reason !== undefined) {
      log.warn({ subAccountId, appointmentId, before }, `no reminder was sent: ${reason}`);
    }
  },
);

interface RemindInput {
  readonly appointmentId: string;
  readonly startTime: number;
  readonly before: number;
  readonly channel: 'email' | 'sms';
}

/** Returns the reason if the customer could not be written to. */
async function remind(work: Work, input: RemindInput, link: string): Promise<string | undefined> {
  const { startTime, before, channel } = input;
  const subject = await readNoticeSubject(work, input, channel);
  const template = subject?.reminders.find(
    (reminder) => reminder.before === before && reminder.channel === channel,
  );
  if (!subject || !template) {
    return undefined;
  }
  if (!(await claimNotice(work, subject.id, `reminder ${startTime} ${before} ${channel}`))) {
    return undefined;
  }
  return writeNotice(work, { subject, template, values: mergeValuesOf(subject, link) });
}

/** An upcoming appointment with everything that a message about it needs. */
export interface NoticeSubject {
  readonly id: string;
  readonly title: string;
  readonly startTime: Date;
  readonly endTime: Date;
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
    a.end_time as "endTime", a.series_id as "seriesId", k.name as calendar, k.confirmation, k.reminders,
    c.id as "contactId", c.email, c.phone, c.dnd, ${optedOut('null::text')} as "isOptedOut",
    c.timezone as "contactZone", coalesce(k.timezone, s.timezone) as "calendarZone", s.locale, s.languages,
    coalesce(s.brand, s.name) as brand, s.brand_color as "brandColor", s.logo_url as "logoUrl"
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
  join sub_accounts s on s.id = a.sub_account_id
  cross join lateral (values (coalesce($5::text, k.confirmation ->> 'channel'))) as v (channel)
  where a.sub_account_id = $1 and a.id = $2 and a.start_time = $3 and a.start_time > $4
    and a.status in ('scheduled', 'confirmed') and c.deleted_at is null and s.deleted_at is null`;

/** Records a notice as sent. Returns false if it was sent before. */
async function claimNotice(work: Work, appointmentId: string, notice: string): Promise<boolean> {
  const values = [work.subAccountId, appointmentId, notice, work.now];
  return (await work.rows(CLAIM, values)).length > 0;
}

const CLAIM = `insert into appointment_notices (sub_account_id, appointment_id, notice, written_at)
  values ($1, $2, $3, $4) on conflict do nothing returning notice`;

/**
 * Returns the merge fields of an appointment; times are in the contact's zone, else the calendar's. They
 * name a zone that is not the calendar's: the customer may expect the time of the business.
 */
function mergeValuesOf(
  subject: NoticeSubject,
  link: string,
  starts: readonly Date[] = [subject.startTime],
): Readonly<Record<(typeof NOTICE_FIELDS)[number], string>> {
  const { title, endTime, calendar, locale, contactZone, calendarZone } = subject;
  const isZone = contactZone !== null && FORMATS['time-zone']?.test(contactZone) === true;
  const zone = isZone ? contactZone : calendarZone;
  const labelOf = (time: Date) => slotLabel(time.getTime(), zone, locale, zone !== calendarZone);
  return {
    'appointment.title': title,
    'appointment.start': starts.map(labelOf).join('; '),
    'appointment.end': labelOf(endTime),
    'appointment.calendar': calendar,
    [LINK]: link,
  };
}

interface Notice {
  readonly subject: NoticeSubject;
  /** The calendar's text for this notice. */
  readonly template: Confirmation;
  readonly values: MergeValues;
  readonly attachment?: Attachment;
}

/** A mail needs a subject even if the manifest has none. Merge fields alone fit every language. */
const DEFAULT_SUBJECT = '{{appointment.title}}: {{appointment.start}}';

/**
 * Writes a message into the customer's conversation; a job sends it. Returns the reason if it cannot
 * be written. The booking is not affected.
 */
export async function writeNotice(
  work: Work,
  { subject, template, values, attachment }: Notice,
): Promise<string | undefined> {
  const { channel, body: bodyText } = template;
  const reason = await reasonAgainst(work, subject, channel);
  if (reason !== undefined) {
    return reason;
  }
  const { id } = await openConversation(work, { contactId: subject.contactId, channel });
  const mail = channel === 'email' ? mailOf(subject, template) : {};
  const file = attachment && channel === 'email' && { attachment };
  const extras = { values, isAutomatic: true, ...file };
  await writeMessage(work, id, { channel, bodyText, ...mail }, extras);
  return undefined;
}

function mailOf(
  { brand: name, brandColor: color, logoUrl, locale }: NoticeSubject,
  { subject, body }: Confirmation,
) {
  const bodyHtml = brandedMail({ name, color, logoUrl }, body, locale);
  return { subject: subject ?? DEFAULT_SUBJECT, ...(bodyHtml !== undefined && { bodyHtml }) };
}

async function reasonAgainst(
  work: Work,
  { email, phone, dnd, isOptedOut }: NoticeSubject,
  channel: Confirmation['channel'],
): Promise<string | undefined> {
  if (isSuppressed({ channel, dnd, isOptedOut })) {
    return 'the contact has opted out or is set to do not disturb';
  }
  if ((channel === 'email' ? email : phone) === null) {
    return `the contact has no ${channel === 'email' ? 'email address' : 'phone number'}`;
  }
  const carrier = await carrierOf(work, channel);
  return carrier === undefined ? `no provider is set up for ${channel}` : undefined;
}
