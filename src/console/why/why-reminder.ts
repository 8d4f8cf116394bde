import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { View } from '#core/work.ts';
import type { Reminder } from '../../calendars/calendar-entry.ts';
import {
  readNotices,
  reasonAgainst,
  stateReason,
  type NoticeAppointment,
} from './appointment-notices.ts';
import { momentIn, type Moment } from './moment.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

/** The reminders of an appointment: one reason for each. */
export const whyReminder: WhyKind = {
  kind: 'reminder',
  summary: 'a reminder of an appointment that was not sent',
  access: memberScope('appointments:read'),
  needs: [['id']],
  async explain(view, { id }) {
    const appointment = await readNotices(view, id);
    const { reminders, calendarId } = appointment;
    if (reminders.length === 0) {
      const record = { type: 'calendar', id: calendarId };
      const sentence = 'The calendar has no reminders.';
      return because({ rule: 'no_reminders', sentence, record, at: null });
    }
    const reasons: Reason[] = [];
    for (const reminder of reminders) {
      reasons.push(await explainReminder(view, appointment, reminder));
    }
    return reasons.every(({ rule }) => rule === 'sent')
      ? happened(...reasons)
      : because(...reasons);
  },
};

async function explainReminder(
  view: View,
  appointment: NoticeAppointment,
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
  const moment = await momentIn(view);
  const timed = timing(appointment, { due, now: view.now, moment });
  if (timed && timed.rule !== 'waiting') {
    return { ...timed, sentence: `${name} is not sent. ${timed.sentence}` };
  }
  const isDue = `is due at ${moment(due)}`;
  if (against) {
    const state = timed ? `${isDue}; as things are, it will not be sent.` : 'is not sent.';
    return { ...against, sentence: `${name} ${state} ${against.sentence}` };
  }
  return { rule: 'waiting', sentence: `${name} ${isDue}.`, record, at: due.toISOString() };
}

/** Returns the rule about time and status that keeps a reminder from being sent. */
function timing(
  appointment: NoticeAppointment,
  { due, now, moment }: { readonly due: Date; readonly now: Date; readonly moment: Moment },
): Reason | undefined {
  const state = stateReason(appointment);
  if (state) {
    return state;
  }
  const { id, createdAt, updatedAt } = appointment;
  const record = { type: 'appointment', id };
  if (due <= createdAt) {
    const sentence = `It was due at ${moment(due)}, before the appointment was booked.`;
    return { rule: 'already_due', sentence, record, at: createdAt.toISOString() };
  }
  if (due <= updatedAt) {
    const sentence = `It was due at ${moment(due)}, before the appointment was changed.`;
    return { rule: 'already_due', sentence, record, at: updatedAt.toISOString() };
  }
  const sentence = `It is due at ${moment(due)}.`;
  return due > now ? { rule: 'waiting', sentence, record, at: due.toISOString() } : undefined;
}
