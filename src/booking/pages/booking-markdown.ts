import type { Document } from '#core/endpoint/reply.ts';
import type { View } from '#core/work.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import { dateAfter, DAYS_MAX } from '../availability/availability.schema.ts';
import { findSlots, type SlotRecord } from '../availability/find-availability.ts';
import { PAGE_HEADERS } from './layout.ts';
import { bookingContext } from './show-booking.ts';

const NEXT = 10;

/** Returns the page of a type as Markdown, for programs: the free times, and the calls that book one. */
export async function bookingMarkdown(
  view: View,
  name: string,
  baseUrl: string,
): Promise<Document> {
  const { host, offer } = await bookingContext(view, name);
  const { calendar, type } = offer;
  const { subAccountId } = view;
  const today = localDate(calendar.timezone, view.now.getTime());
  const from = { from: today, to: dateAfter(today, DAYS_MAX - 1) };
  const slots = await findSlots(view, offer, from);
  const [first] = slots;
  const query = { subAccountId, appointmentTypeId: type.id, date: first?.date ?? today };
  const availability = `${baseUrl}/api/booking/availability?${new URLSearchParams(query).toString()}`;
  const body = {
    subAccountId,
    appointmentTypeId: type.id,
    startTime: first?.startTime ?? 0,
    endTime: first?.endTime ?? 0,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+442079460018',
    notes: 'optional, as is phone',
  };
  const text = `# Book: ${plain(type.name)}

With ${plain(host.brand)}. ${type.duration} minutes. Times are in ${calendar.timezone}. Page for people: ${baseUrl}/book/${subAccountId}/${name}

## Next free times

${slotTable(slots)}

## Find free times

For several days, add \`endDate\` (inclusive, at most ${DAYS_MAX} days). No key is needed.

    curl '${availability}'

## Book a time

Pass \`startTime\` and \`endTime\` exactly as listed. Ask the person for their email.

    POST ${baseUrl}/api/booking/appointments
    Content-Type: application/json

${indented(JSON.stringify(body, null, 2))}

A booking returns 201 and \`{"data": {"id", "startTime", "endTime", "status", "manageUrl", …}}\`. Give \`manageUrl\` to the person: the page shows, moves and cancels the appointment without a password.

A refusal returns 400 and \`error.details.reason\`. \`slot_unavailable\` and \`day_full\`: another booking was faster; find free times again. \`slot_in_past\`, \`too_soon\`, \`too_far_ahead\`, \`date_unavailable\`, \`day_unavailable\`, \`outside_hours\` and \`invalid_duration\`: the time is not a free time. \`error.details.issues\` lists wrong fields. After 429, wait the seconds given in \`Retry-After\`.
`;
  return { type: 'text/markdown; charset=utf-8', body: text, headers: PAGE_HEADERS };
}

const slotTable = (slots: readonly SlotRecord[]): string =>
  slots.length === 0
    ? `None in the next ${DAYS_MAX} days.`
    : [
        '| When | startTime | endTime |',
        '| --- | --- | --- |',
        ...slots
          .slice(0, NEXT)
          .map(({ label, startTime, endTime }) => `| ${label} | ${startTime} | ${endTime} |`),
      ].join('\n');

/** Escapes Markdown in names. */
const plain = (text: string): string =>
  text.replace(/[\\`*_[\]<>#|]/g, '\\$&').replace(/\s+/g, ' ');

const indented = (text: string): string => text.replace(/^/gm, '    ');
