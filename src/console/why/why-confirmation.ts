import { memberScope } from '#core/endpoint/console-endpoint.ts';
import type { View } from '#core/work.ts';
import { KEYED_JOB } from '#platform/queue/private-tables.ts';
import { confirmAppointment } from '../../booking/notices/booking.jobs.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import {
  readNotices,
  reasonAgainst,
  stateReason,
  type NoticeAppointment,
} from './appointment-notices.ts';
import type { WhyLanguage } from './language.ts';
import { noticeMessage } from './notice-message.ts';
import { because, happened, type WhyAnswer, type WhyKind } from './why.ts';

/** The message that confirms an appointment when it is booked or moved. */
export const whyConfirmation: WhyKind = {
  kind: 'confirmation',
  summary: 'the confirmation of an appointment that was not sent',
  access: memberScope('appointments:read'),
  needs: [['id']],
  async explain(view, { id }, language) {
    // Read first: a worker that sends it meanwhile writes the notice before its job ends.
    const [job] = await view.rows(KEYED_JOB, [
      `${confirmAppointment.name}:${id}`,
      view.subAccountId,
    ]);
    const appointment = await readNotices(view, id);
    const { confirmation, calendarId } = appointment;
    if (confirmation === null) {
      const record = { type: 'calendar', id: calendarId };
      const sentence = language.messages.confirmation.none;
      return because({ rule: 'no_confirmation', sentence, record, at: null });
    }
    const { channel } = confirmation;
    return explain(view, { appointment, channel, isQueued: job !== undefined }, language);
  },
};

interface PlannedConfirmation {
  readonly appointment: NoticeAppointment;
  readonly channel: Confirmation['channel'];
  /** A job will send it. */
  readonly isQueued: boolean;
}

async function explain(
  view: View,
  { appointment, channel, isQueued }: PlannedConfirmation,
  language: WhyLanguage,
): Promise<WhyAnswer> {
  const { id, firstId, startTime, updatedAt } = appointment;
  const { confirmation: texts, channels } = language.messages;
  const record = { type: 'appointment', id };
  const at = lastWritten(appointment);
  if (at !== undefined) {
    return explainWritten(view, { appointment, channel, at }, language);
  }
  const state =
    stateReason(appointment, language) ??
    (await reasonAgainst(view, appointment, channel, language));
  if (state) {
    return because(state);
  }
  if (firstId !== id) {
    const first = { type: 'appointment', id: firstId };
    return because({ rule: 'series', sentence: texts.series, record: first, at: null });
  }
  if (startTime <= view.now) {
    const begunAt = startTime.toISOString();
    return because({ rule: 'begun', sentence: texts.begun, record, at: begunAt });
  }
  const bookedAt = updatedAt.toISOString();
  return because(
    isQueued
      ? { rule: 'waiting', sentence: texts.waits(channels[channel]), record, at: bookedAt }
      : { rule: 'not_planned', sentence: texts.notPlanned, record, at: bookedAt },
  );
}

interface WrittenConfirmation {
  readonly appointment: NoticeAppointment;
  readonly channel: Confirmation['channel'];
  readonly at: string;
}

/** Returns what became of the message: customers ask for it. A skipped one left none. */
async function explainWritten(
  view: View,
  { appointment, channel, at }: WrittenConfirmation,
  language: WhyLanguage,
): Promise<WhyAnswer> {
  const { confirmation: texts, channels } = language.messages;
  const intro = (to: string | null) => texts.is(channels[channel], to);
  const message = await noticeMessage(view, { appointment, at, intro }, language);
  if (message) {
    return message.isSent ? happened(...message.reasons) : because(...message.reasons);
  }
  const against = await reasonAgainst(view, appointment, channel, language);
  const record = { type: 'appointment', id: appointment.id };
  return against
    ? because({ ...against, sentence: `${texts.notSent} ${against.sentence}`, at })
    : happened({ rule: 'sent', sentence: texts.wrote(channels[channel]), record, at });
}

/** Returns when the last booking or move was confirmed, ISO 8601. */
const lastWritten = ({ written }: NoticeAppointment): string | undefined =>
  Object.entries(written ?? {})
    .filter(([notice]) => notice.startsWith('confirmation '))
    .map(([, at]) => at)
    .toSorted()
    .at(-1);
