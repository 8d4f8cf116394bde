import { isSuppressed } from '../../contacts/consent/suppressions.ts';
import { handle } from '#core/job.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work } from '#core/work.ts';
import { countFields, type MergeValues } from '#lib/merge-fields.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import type { NOTICE_FIELDS } from '../../calendars/notice-texts.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
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
import { readNoticeSubject, type NoticeSubject } from './notice-subject.ts';

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
  const isChange = isMove && (await isConfirmed(work, subject));
  if (!(await claimNotice(work, subject.id, `confirmation ${noticeId}`))) {
    return undefined;
  }
  const dates = isMove ? [subject] : await datesOf(work, subject);
  if (dates[0]?.id !== subject.id) {
    return undefined;
  }
  const template = withSurroundings(subject.confirmation, subject, isChange);
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

/** Returns whether the customer was told of the appointment before. */
async function isConfirmed(work: Work, { id, seriesId }: NoticeSubject): Promise<boolean> {
  return seriesId !== null || (await work.rows(CONFIRMED, [work.subAccountId, id])).length > 0;
}

const CONFIRMED = `select from appointment_notices
  where sub_account_id = $1 and appointment_id = $2 and notice like 'confirmation %' limit 1`;

const LINK = 'appointment.link';

/**
 * Every confirmation by mail has the link to cancel or move the appointment (contract 7); one of a changed
 * appointment begins by saying so.
 */
function withSurroundings(
  template: Confirmation,
  { locale, languages }: NoticeSubject,
  isChange: boolean,
): Confirmation {
  if (template.channel === 'sms') {
    return template;
  }
  const { messages } = languageOf(locale, languages);
  const parts = [
    ...(isChange ? [messages.changed] : []),
    template.body.trimEnd(),
    ...(countFields(template.body, LINK) === 0 ? [messages.manageLink(`{{${LINK}}}`)] : []),
  ];
  return { ...template, body: parts.join('\n\n') };
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
  const { title, endTime, calendar, member, locale, contactZone, calendarZone } = subject;
  const isZone = contactZone !== null && FORMATS['time-zone']?.test(contactZone) === true;
  const zone = isZone ? contactZone : calendarZone;
  const labelOf = (time: Date) => slotLabel(time.getTime(), zone, locale, zone !== calendarZone);
  return {
    'appointment.title': title,
    'appointment.start': starts.map(labelOf).join('; '),
    'appointment.end': labelOf(endTime),
    'appointment.calendar': calendar,
    'appointment.member': member ?? '',
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
