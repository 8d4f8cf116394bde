import type { WholeCalendar } from './calendar-entry.ts';

/** The merge fields of confirmations and reminders, besides those of every message. */
export const NOTICE_FIELDS = [
  'appointment.title',
  'appointment.start',
  'appointment.end',
  'appointment.calendar',
  'appointment.member',
  'appointment.link',
] as const;

/** Returns the texts of a calendar's confirmation and reminders by their JSON pointer. */
export const noticeTextsOf = ({
  confirmation,
  reminders,
}: Pick<WholeCalendar, 'confirmation' | 'reminders'>): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    [
      ['/confirmation', confirmation] as const,
      ...reminders.map((reminder, index) => [`/reminders/${index}`, reminder] as const),
    ].flatMap(([path, notice]) =>
      notice
        ? [
            [`${path}/subject`, notice.subject],
            [`${path}/body`, notice.body],
          ]
        : [],
    ),
  );
