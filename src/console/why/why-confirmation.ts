import { memberScope } from '#core/endpoint/console-endpoint.ts';
import type { View } from '#core/work.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import {
  readNotices,
  reasonAgainst,
  stateReason,
  type NoticeAppointment,
} from './appointment-notices.ts';
import { because, happened, type WhyAnswer, type WhyKind } from './why.ts';

/** The message that confirms an appointment when it is booked or moved. */
export const whyConfirmation: WhyKind = {
  kind: 'confirmation',
  summary: 'the confirmation of an appointment that was not sent',
  access: memberScope('appointments:read'),
  needs: [['id']],
  async explain(view, { id }) {
    const appointment = await readNotices(view, id);
    const { confirmation, calendarId } = appointment;
    if (confirmation === null) {
      const record = { type: 'calendar', id: calendarId };
      const sentence = 'The calendar has no confirmation.';
      return because({ rule: 'no_confirmation', sentence, record, at: null });
    }
    return explain(view, appointment, confirmation);
  },
};

async function explain(
  view: View,
  appointment: NoticeAppointment,
  { channel }: Confirmation,
): Promise<WhyAnswer> {
  const { id, firstId, startTime, updatedAt } = appointment;
  const record = { type: 'appointment', id };
  const at = lastWritten(appointment);
  const against = await reasonAgainst(view, appointment, channel);
  if (at !== undefined) {
    return against
      ? because({ ...against, sentence: `No confirmation was sent. ${against.sentence}`, at })
      : happened({ rule: 'sent', sentence: `It was sent by ${channel}.`, record, at });
  }
  const state = stateReason(appointment) ?? against;
  if (state) {
    return because(state);
  }
  if (firstId !== id) {
    const first = { type: 'appointment', id: firstId };
    const sentence = 'The first appointment of the series confirms all of them.';
    return because({ rule: 'series', sentence, record: first, at: null });
  }
  if (startTime <= view.now) {
    const sentence = 'The appointment had begun before a confirmation was sent.';
    return because({ rule: 'begun', sentence, record, at: startTime.toISOString() });
  }
  const sentence = `The confirmation by ${channel} waits for a worker, or the appointment was booked before the calendar had a confirmation.`;
  return because({ rule: 'waiting', sentence, record, at: updatedAt.toISOString() });
}

/** Returns when the last booking or move was confirmed, ISO 8601. */
const lastWritten = ({ written }: NoticeAppointment): string | undefined =>
  Object.entries(written ?? {})
    .filter(([notice]) => notice.startsWith('confirmation '))
    .map(([, at]) => at)
    .toSorted()
    .at(-1);
