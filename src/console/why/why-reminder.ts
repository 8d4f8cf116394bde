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
import type { WhyLanguage } from './language.ts';
import { lengthOf, momentIn, type Moment } from './moment.ts';
import { noticeMessage } from './notice-message.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

/** The reminders of an appointment: one reason for each. */
export const whyReminder: WhyKind = {
  kind: 'reminder',
  summary: 'a reminder of an appointment that was not sent',
  access: memberScope('appointments:read'),
  needs: [['id']],
  async explain(view, { id }, language) {
    const appointment = await readNotices(view, id);
    const { reminders, calendarId } = appointment;
    if (reminders.length === 0) {
      const record = { type: 'calendar', id: calendarId };
      const sentence = language.messages.reminder.none;
      return because({ rule: 'no_reminders', sentence, record, at: null });
    }
    const fates: ReminderFate[] = [];
    for (const reminder of reminders) {
      fates.push(await explainReminder(view, appointment, reminder, language));
    }
    const reasons = fates.flatMap((fate) => fate.reasons);
    return fates.every(({ isSent }) => isSent) ? happened(...reasons) : because(...reasons);
  },
};

interface ReminderFate {
  readonly isSent: boolean;
  readonly reasons: readonly Reason[];
}

const notSent = (reason: Reason): ReminderFate => ({ isSent: false, reasons: [reason] });

async function explainReminder(
  view: View,
  appointment: NoticeAppointment,
  { before, channel }: Reminder,
  language: WhyLanguage,
): Promise<ReminderFate> {
  const { id, startTime, written } = appointment;
  const { reminder: texts, channels } = language.messages;
  const name = { before: lengthOf(before, language), channel: channels[channel] };
  const record = { type: 'appointment', id };
  const due = new Date(startTime.getTime() - before * MINUTE_MS);
  const at = written?.[`reminder ${startTime.getTime()} ${before} ${channel}`];
  if (at !== undefined) {
    const intro = (to: string | null) => texts.is(name, to);
    const message = await noticeMessage(view, { appointment, at, intro }, language);
    if (message) {
      return message;
    }
  }
  const against = await reasonAgainst(view, appointment, channel, language);
  if (at !== undefined) {
    return against
      ? notSent({ ...against, sentence: `${texts.wasNotSent(name)} ${against.sentence}`, at })
      : { isSent: true, reasons: [{ rule: 'sent', sentence: texts.wasSent(name), record, at }] };
  }
  const moment = await momentIn(view, language);
  const timed = timing(appointment, { due, moment }, language);
  if (timed) {
    return notSent({ ...timed, sentence: `${texts.isNotSent(name)} ${timed.sentence}` });
  }
  if (against) {
    const state = due > view.now ? texts.isDueInVain(name, moment(due)) : texts.isNotSent(name);
    return notSent({ ...against, sentence: `${state} ${against.sentence}` });
  }
  if (startTime <= view.now) {
    const sentence = `${texts.isNotSent(name)} ${texts.begun}`;
    return notSent({ rule: 'begun', sentence, record, at: startTime.toISOString() });
  }
  const sentence = texts.isDue(name, moment(due));
  return notSent({ rule: 'waiting', sentence, record, at: due.toISOString() });
}

/** Returns the rule about time and status that keeps a reminder from being sent. */
function timing(
  appointment: NoticeAppointment,
  { due, moment }: { readonly due: Date; readonly moment: Moment },
  language: WhyLanguage,
): Reason | undefined {
  const state = stateReason(appointment, language);
  if (state) {
    return state;
  }
  const { id, createdAt, updatedAt } = appointment;
  const { dueBeforeBooking, dueBeforeChange } = language.messages.reminder;
  const record = { type: 'appointment', id };
  if (due <= createdAt) {
    const sentence = dueBeforeBooking(moment(due));
    return { rule: 'already_due', sentence, record, at: createdAt.toISOString() };
  }
  if (due <= updatedAt) {
    const sentence = dueBeforeChange(moment(due));
    return { rule: 'already_due', sentence, record, at: updatedAt.toISOString() };
  }
  return undefined;
}
