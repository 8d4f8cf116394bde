import { memberScope } from '#core/endpoint/console-endpoint.ts';
import type { View } from '#core/work.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import {
  readNotices,
  reasonAgainst,
  stateReason,
  type NoticeAppointment,
} from './appointment-notices.ts';
import { because, happened, type Reason, type WhyAnswer, type WhyKind } from './why.ts';

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
      : happened(await sentReason(view, appointment, { channel, at }));
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

interface SentMessage {
  readonly id: string;
  readonly to: string | null;
  readonly status: string;
}

/** Names the message, its recipient and its status: customers ask what became of it. */
async function sentReason(
  view: View,
  { id, contactId }: NoticeAppointment,
  { channel, at }: { readonly channel: string; readonly at: string },
): Promise<Reason> {
  const [message] = await view.rows<SentMessage>(MESSAGE, [view.subAccountId, contactId, at]);
  return message
    ? {
        rule: 'sent',
        sentence: `The confirmation was sent by ${channel} to ${message.to ?? 'an unknown address'}; the message is ${message.status}.`,
        record: { type: 'message', id: message.id },
        at,
      }
    : {
        rule: 'sent',
        sentence: `The confirmation was sent by ${channel}.`,
        record: { type: 'appointment', id },
        at,
      };
}

/** A notice is written at the moment of its message. */
const MESSAGE = `select m.id, m.to_address as "to", m.status from messages m
  join conversations c on c.sub_account_id = m.sub_account_id and c.id = m.conversation_id
  where m.sub_account_id = $1 and c.contact_id = $2 and m.created_at = $3 and m.is_automatic
  order by m.id limit 1`;

/** Returns when the last booking or move was confirmed, ISO 8601. */
const lastWritten = ({ written }: NoticeAppointment): string | undefined =>
  Object.entries(written ?? {})
    .filter(([notice]) => notice.startsWith('confirmation '))
    .map(([, at]) => at)
    .toSorted()
    .at(-1);
