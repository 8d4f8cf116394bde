import { handle } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import { confirmAppointment } from './booking.jobs.ts';
import { confirmationFile } from './confirmation-file.ts';
import { datesOf } from './confirmation-dates.ts';
import { linkTo } from '../pages/link-to.ts';
import { mergeValuesOfNotice, readNotice } from './read-notice.ts';
import { takeNotice, writeNotice } from './write-notice.ts';

interface SendConfirmationInput {
  readonly appointmentId: string;
  readonly startTime: number;
  /** Of the booking or the move that it is about. */
  readonly noticeId: string;
  readonly isMove: boolean;
}

/** Once for each booking and move, also where the worker is killed on the way. */
export const handleConfirmation = handle(
  confirmAppointment,
  async ({ subAccountId, ...wanted }, context) => {
    const { transact, actor, log } = context;
    const { appointmentId } = wanted;
    const link = linkTo(context, { subAccountId, appointmentId });
    const reason = await transact(subAccountId, actor, (work) => confirm(work, wanted, link));
    if (reason !== undefined) {
      log.warn({ subAccountId, appointmentId }, `no confirmation was sent: ${reason}`);
    }
  },
);

/** Answers what was in the way. */
async function confirm(
  work: Work,
  { noticeId, isMove, ...wanted }: SendConfirmationInput,
  link: string,
): Promise<string | undefined> {
  const noticed = await readNotice(work, wanted);
  const given = noticed?.confirmation;
  if (!noticed || !given) {
    return undefined;
  }
  if (!(await takeNotice(work, noticed.id, `confirmation ${noticeId}`))) {
    return undefined;
  }
  const dates = isMove ? [noticed] : await datesOf(work, noticed);
  if (dates[0]?.id !== noticed.id) {
    return undefined;
  }
  const words = withLink(given);
  const starts = dates.map(({ startTime }) => startTime);
  const values = await mergeValuesOfNotice(noticed, link, starts);
  const attachment = await confirmationFile(noticed, dates, link);
  return writeNotice(work, { noticed, words, values, attachment });
}

const LINK = /\{\{\s*appointment\.link\s*\}\}/;

/** Every confirmation by mail says where the appointment is cancelled or moved (contract 7). */
const withLink = (words: Confirmation): Confirmation =>
  words.channel === 'sms' || LINK.test(words.body)
    ? words
    : { ...words, body: `${words.body.trimEnd()}\n\nCancel or move: {{appointment.link}}` };
