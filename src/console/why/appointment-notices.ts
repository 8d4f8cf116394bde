import { isoText } from '#core/schema/columns.ts';
import { orNotFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { suppressionReason } from './suppression-reason.ts';
import { textFor, type WhyLanguage } from './language.ts';
import type { Reason } from './why.ts';

/** An appointment with what its calendar sends to customers, and what was sent. */
export interface NoticeAppointment {
  readonly id: string;
  readonly calendarId: string;
  readonly status: string;
  readonly startTime: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly contactId: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly confirmation: Confirmation | null;
  readonly reminders: readonly Reminder[];
  /** The first appointment of its series, which confirms all of them. */
  readonly firstId: string;
  /** When each notice was written, ISO 8601. */
  readonly written: Readonly<Record<string, string>> | null;
}

/** Throws NOT_FOUND for unknown appointments. */
export async function readNotices(view: View, id: string): Promise<NoticeAppointment> {
  const [appointment] = await view.rows<NoticeAppointment>(APPOINTMENT, [view.subAccountId, id]);
  return orNotFound(appointment, 'appointment');
}

const APPOINTMENT = `select a.id, a.calendar_id as "calendarId", a.status, a.start_time as "startTime",
    a.created_at as "createdAt", a.updated_at as "updatedAt", a.contact_id as "contactId",
    c.email, c.phone, k.confirmation, k.reminders,
    coalesce((select f.id from appointments f
      where f.sub_account_id = $1 and f.series_id = a.series_id
        and f.status in ('scheduled', 'confirmed')
      order by f.id limit 1), a.id) as "firstId",
    (select jsonb_object_agg(n.notice, ${isoText('n.written_at')}) from appointment_notices n
     where n.sub_account_id = $1 and n.appointment_id = a.id) as written
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  left join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
  where a.sub_account_id = $1 and a.id = $2`;

/** Returns the reason if the appointment has a status or lacks a contact that no notice is sent for. */
export function stateReason(
  appointment: NoticeAppointment,
  { messages: { appointment: texts } }: WhyLanguage,
): Reason | undefined {
  const { id, status, updatedAt, contactId } = appointment;
  const record = { type: 'appointment', id };
  if (status !== 'scheduled' && status !== 'confirmed') {
    const sentence = textFor(texts, status);
    return { rule: status, sentence, record, at: updatedAt.toISOString() };
  }
  return contactId === null
    ? {
        rule: 'no_contact',
        sentence: texts.noContact,
        record,
        at: updatedAt.toISOString(),
      }
    : undefined;
}

/** Returns the reason if the customer cannot be written to on the channel. */
export async function reasonAgainst(
  view: View,
  { contactId, email, phone }: NoticeAppointment,
  channel: Confirmation['channel'],
  language: WhyLanguage,
): Promise<Reason | undefined> {
  if (contactId === null) {
    return undefined;
  }
  const suppressed = await suppressionReason(view, contactId, channel, language);
  if (suppressed) {
    return suppressed;
  }
  const { channels, contact, noProvider } = language.messages;
  const record = { type: 'contact', id: contactId };
  const at = view.now.toISOString();
  if ((channel === 'email' ? email : phone) === null) {
    const sentence = channel === 'email' ? contact.noEmail : contact.noPhone;
    return { rule: 'no_address', sentence, record, at };
  }
  return (await carrierOf(view, channel)) === undefined
    ? {
        rule: 'channel_not_configured',
        sentence: noProvider(channels[channel]),
        record,
        at,
      }
    : undefined;
}
