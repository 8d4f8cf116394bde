import { isoText } from '#core/schema/columns.ts';
import { notFound } from '#core/fault.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { View } from '#core/work.ts';
import type { Confirmation, Reminder } from '../../calendars/calendar-entry.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { suppressionReason } from './suppression-reason.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

interface AppointmentRow {
  readonly calendarId: string;
  readonly status: string;
  readonly startTime: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly contactId: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly reminders: readonly Reminder[];
  readonly written: Readonly<Record<string, string>> | null;
}

/** The reminders of an appointment: one reason for each. */
export const whyReminder: WhyKind = {
  kind: 'reminder',
  summary: 'a reminder of an appointment that was not sent',
  role: 'viewer',
  needs: [['id']],
  async explain(view, { id }) {
    const [appointment] = await view.rows<AppointmentRow>(APPOINTMENT, [view.subAccountId, id]);
    if (!appointment) {
      throw notFound('appointment');
    }
    const { reminders, calendarId } = appointment;
    if (reminders.length === 0) {
      const record = { type: 'calendar', id: calendarId };
      const sentence = 'The calendar has no reminders.';
      return because({ rule: 'no_reminders', sentence, record, at: null });
    }
    const reasons: Reason[] = [];
    for (const reminder of reminders) {
      reasons.push(await explainReminder(view, { id, ...appointment }, reminder));
    }
    return reasons.every(({ rule }) => rule === 'sent')
      ? happened(...reasons)
      : because(...reasons);
  },
};

type Appointment = AppointmentRow & { readonly id: string };

async function explainReminder(
  view: View,
  appointment: Appointment,
  { before, channel }: Reminder,
): Promise<Reason> {
  const { id, startTime, written } = appointment;
  const name = `The reminder ${before} minutes before, by ${channel},`;
  const record = { type: 'appointment', id };
  const due = new Date(startTime.getTime() - before * MINUTE_MS);
  const at = written?.[`reminder ${startTime.getTime()} ${before} ${channel}`];
  const against = await reasonAgainst(view, appointment, channel);
  if (at !== undefined) {
    return against
      ? { ...against, sentence: `${name} was not sent. ${against.sentence}`, at }
      : { rule: 'sent', sentence: `${name} was sent.`, record, at };
  }
  const timed = timing(appointment, due, view.now);
  if (timed && timed.rule !== 'waiting') {
    return { ...timed, sentence: `${name} is not sent. ${timed.sentence}` };
  }
  const isDue = `is due at ${due.toISOString()}`;
  if (against) {
    const state = timed ? `${isDue}; as things are, it will not be sent.` : 'is not sent.';
    return { ...against, sentence: `${name} ${state} ${against.sentence}` };
  }
  return { rule: 'waiting', sentence: `${name} ${isDue}.`, record, at: due.toISOString() };
}

/** Returns the rule about time and status that keeps a reminder from being sent. */
function timing(
  { id, status, createdAt, updatedAt, contactId }: Appointment,
  due: Date,
  now: Date,
): Reason | undefined {
  const record = { type: 'appointment', id };
  if (status !== 'scheduled' && status !== 'confirmed') {
    const sentence = `The appointment is ${status}.`;
    return { rule: status, sentence, record, at: updatedAt.toISOString() };
  }
  if (contactId === null) {
    const sentence = 'The appointment has no contact.';
    return { rule: 'no_contact', sentence, record, at: updatedAt.toISOString() };
  }
  if (due <= createdAt) {
    const sentence = `It was due at ${due.toISOString()}, before the appointment was booked.`;
    return { rule: 'already_due', sentence, record, at: createdAt.toISOString() };
  }
  if (due <= updatedAt) {
    const sentence = `It was due at ${due.toISOString()}, before the appointment was changed.`;
    return { rule: 'already_due', sentence, record, at: updatedAt.toISOString() };
  }
  const sentence = `It is due at ${due.toISOString()}.`;
  return due > now ? { rule: 'waiting', sentence, record, at: due.toISOString() } : undefined;
}

async function reasonAgainst(
  view: View,
  { contactId, email, phone }: Appointment,
  channel: Confirmation['channel'],
): Promise<Reason | undefined> {
  if (contactId === null) {
    return undefined;
  }
  const suppressed = await suppressionReason(view, contactId, channel);
  if (suppressed) {
    return suppressed;
  }
  const record = { type: 'contact', id: contactId };
  const at = view.now.toISOString();
  if ((channel === 'email' ? email : phone) === null) {
    const what = channel === 'email' ? 'email address' : 'phone number';
    return { rule: 'no_address', sentence: `The contact has no ${what}.`, record, at };
  }
  return (await carrierOf(view, channel)) === undefined
    ? {
        rule: 'channel_not_configured',
        sentence: `No provider is set up for ${channel}.`,
        record,
        at,
      }
    : undefined;
}

const APPOINTMENT = `select a.calendar_id as "calendarId", a.status, a.start_time as "startTime",
    a.created_at as "createdAt", a.updated_at as "updatedAt", a.contact_id as "contactId",
    c.email, c.phone, k.reminders,
    (select jsonb_object_agg(n.notice, ${isoText('n.written_at')}) from appointment_notices n
     where n.sub_account_id = $1 and n.appointment_id = a.id) as written
  from appointments a
  join calendars k on k.sub_account_id = a.sub_account_id and k.id = a.calendar_id
  left join contacts c on c.sub_account_id = a.sub_account_id and c.id = a.contact_id
  where a.sub_account_id = $1 and a.id = $2`;
