import type { Attachment } from '../../conversations/messages/insert-message.ts';
import { appointmentIcs, ICS_TYPE } from './appointment-ics.ts';
import type { ConfirmedDate } from './confirmation-dates.ts';
import type { Noticed } from './read-notice.ts';

/** The appointments for the customer's own calendar; one that is there already is moved by it. */
export async function confirmationFile(
  { title, brand }: Noticed,
  dates: readonly ConfirmedDate[],
  url: string,
): Promise<Attachment> {
  const files = await Promise.all(
    dates.map(({ id, startTime: start, endTime: end, createdAt, updatedAt }) => {
      const about = { id, title, start, end, createdAt, updatedAt, url };
      return appointmentIcs({ ...about, host: brand, isCancelled: false });
    }),
  );
  return { name: 'appointment.ics', type: ICS_TYPE, content: inOne(files) };
}

const EVENT = /BEGIN:VEVENT[^]*END:VEVENT\r?\n/;

/** The events of all files in the first. */
const inOne = (files: readonly string[]): string =>
  (files[0] ?? '').replace(EVENT, () => files.map((file) => EVENT.exec(file)?.[0] ?? '').join(''));
