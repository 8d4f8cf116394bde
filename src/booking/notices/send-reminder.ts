import { handle } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { remindOfAppointment } from './booking.jobs.ts';
import { linkTo } from '../pages/link-to.ts';
import { mergeValuesOfNotice, readNotice } from './read-notice.ts';
import { takeNotice, writeNotice } from './write-notice.ts';

interface SendReminderInput {
  readonly appointmentId: string;
  readonly startTime: number;
  readonly before: number;
  readonly channel: 'email' | 'sms';
}

/** In the words that the calendar has for it now, once for each start; not at all once it is gone. */
export const handleReminder = handle(
  remindOfAppointment,
  async ({ subAccountId, ...wanted }, context) => {
    const { transact, actor, log } = context;
    const { appointmentId, before } = wanted;
    const link = linkTo(context, { subAccountId, appointmentId });
    const reason = await transact(subAccountId, actor, (work) => remind(work, wanted, link));
    if (reason !== undefined) {
      log.warn({ subAccountId, appointmentId, before }, `no reminder was sent: ${reason}`);
    }
  },
);

/** Answers what was in the way. */
async function remind(
  work: Work,
  wanted: SendReminderInput,
  link: string,
): Promise<string | undefined> {
  const { startTime, before, channel } = wanted;
  const noticed = await readNotice(work, wanted, channel);
  const words = noticed?.reminders.find((one) => one.before === before && one.channel === channel);
  if (!noticed || !words) {
    return undefined;
  }
  const notice = `reminder ${startTime} ${before} ${channel}`;
  if (!(await takeNotice(work, noticed.id, notice))) {
    return undefined;
  }
  return writeNotice(work, { noticed, words, values: await mergeValuesOfNotice(noticed, link) });
}
