import { handle } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import type { Attachment } from '../../conversations/messages/insert-message.ts';
import { customerIcs, ICS_TYPE } from '../feeds/appointment-ics.ts';
import { linkTo } from '../pages/manage/manage-link.ts';
import { confirmAppointment, remindOfAppointment } from './booking.jobs.ts';
import {
  claimNotice,
  mergeValuesOf,
  readNoticeSubject,
  writeNotice,
  type NoticeSubject,
} from './notice.ts';

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
  const template = withLink(subject.confirmation);
  const starts = dates.map(({ startTime }) => startTime);
  const values = await mergeValuesOf(subject, link, starts);
  const attachment = await confirmationFile(subject, dates, link);
  return writeNotice(work, { subject, template, values, attachment });
}

type ConfirmedDate = Pick<
  NoticeSubject,
  'id' | 'startTime' | 'endTime' | 'createdAt' | 'updatedAt'
>;

/** A series is confirmed once, with its first appointment: the list starts with that one. */
async function datesOf(work: Work, subject: NoticeSubject): Promise<readonly ConfirmedDate[]> {
  const { seriesId } = subject;
  return seriesId === null ? [subject] : work.rows(SERIES, [work.subAccountId, seriesId]);
}

const SERIES = `select id, start_time as "startTime", end_time as "endTime",
    created_at as "createdAt", updated_at as "updatedAt"
  from appointments
  where sub_account_id = $1 and series_id = $2 and status in ('scheduled', 'confirmed')
  order by id`;

/** Returns the appointments for the customer's own calendar. An event that it already has is moved. */
async function confirmationFile(
  { title, brand }: NoticeSubject,
  dates: readonly ConfirmedDate[],
  url: string,
): Promise<Attachment> {
  const content = await customerIcs(
    dates.map(({ id, startTime: start, endTime: end, createdAt, updatedAt }) => {
      const event = { id, title, start, end, createdAt, updatedAt, url };
      return { ...event, host: brand, isCancelled: false };
    }),
  );
  return { name: 'appointment.ics', type: ICS_TYPE, content };
}

const LINK = /\{\{\s*appointment\.link\s*\}\}/;

/** Every confirmation by mail has the link to cancel or move the appointment (contract 7). */
const withLink = (template: Confirmation): Confirmation =>
  template.channel === 'sms' || LINK.test(template.body)
    ? template
    : { ...template, body: `${template.body.trimEnd()}\n\nCancel or move: {{appointment.link}}` };

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
  return writeNotice(work, { subject, template, values: await mergeValuesOf(subject, link) });
}
