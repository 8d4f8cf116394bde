import type { OutboundAnswer } from '#core/outbound.ts';
import { NAMESPACES, queryDav, sendDav, type Account } from './dav-request.ts';
import type { ExternalSetup } from './external-setup.ts';
import type { FetchedIcs, FetchOptions } from './fetch-ics.ts';
import type { DavResponse } from './parse-multistatus.ts';

/** Returns the URL with a slash at the end: without it, servers redirect. */
export const collectionOf = ({ url }: Pick<Account, 'url'>): string => url.replace(/\/?$/, '/');

/** Returns the URL of the calendar itself: the discovered one, until then the configured one. */
export const calendarOf = ({ url, validators }: ExternalSetup): string =>
  validators.calendar ?? collectionOf({ url });

/** Returns whether an event is in the member's calendar, and not in a former one. */
export const isIn = (setup: ExternalSetup, eventUrl: string): boolean =>
  eventUrl.startsWith(calendarOf(setup));

export const NOT_CALDAV = 'it is not a CalDAV calendar';
const NOT_FOUND = 404;

interface TimeRange {
  readonly from: number;
  readonly until: number;
}

/** Returns the events of a CalDAV calendar that overlap a time. */
export async function queryCaldav(
  url: string,
  account: Account,
  range: TimeRange,
  options: FetchOptions,
): Promise<FetchedIcs> {
  const body = calendarQuery(range);
  const query = { method: 'REPORT', depth: '1', body } as const;
  const found = await queryDav(url, query, account, options).catch(({ message }: Error) => ({
    failure: message,
  }));
  if ('failure' in found) {
    return found;
  }
  const { status, responses } = found;
  if (!isSuccess(status)) {
    return { failure: `it returned ${status}` };
  }
  if (!responses) {
    return { failure: NOT_CALDAV };
  }
  const failure = responses.map((one) => failureOf(one, status)).find(Boolean);
  if (failure !== undefined) {
    return { failure };
  }
  const texts = responses.flatMap(({ calendarData }) => calendarData ?? []);
  return { texts, validators: { calendar: url } };
}

/** Events that were listed without their data would count as free. */
function failureOf(response: DavResponse, answered: number): string | undefined {
  const { status = answered, hasProperties, refused, calendarData } = response;
  // Some servers report that an empty calendar has no events; others, events deleted meanwhile.
  const isGone = status === NOT_FOUND && !hasProperties;
  if (isGone || (isSuccess(status) && calendarData)) {
    return undefined;
  }
  if (!isSuccess(status)) {
    return `it returned ${status}`;
  }
  if (refused !== undefined) {
    return `it returned ${refused} for an event`;
  }
  return calendarData === undefined ? undefined : 'it returned an event without data';
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const calendarQuery = ({ from, until }: TimeRange): string =>
  `<c:calendar-query ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>` +
  `<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">` +
  `<c:time-range start="${stampOf(from)}" end="${stampOf(until)}"/>` +
  `</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`;

/** `20260302T090000Z` */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** The result of a write: the HTTP status, and the new ETag if the server sends one. */
export interface PutResult {
  readonly status: number;
  readonly etag: string | null;
}

const resultOf = ({ status, headers }: OutboundAnswer): PutResult => ({
  status,
  etag: headers['etag'] ?? null,
});

/** Writes an event. `etag` is the one of the event to overwrite; null creates one and overwrites nothing. */
export async function putEvent(
  account: Account,
  url: string,
  { ics, etag }: { readonly ics: string; readonly etag: string | null },
  options: FetchOptions,
): Promise<PutResult> {
  const condition = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...condition };
  return resultOf(await sendDav(url, { method: 'PUT', headers, body: ics }, account, options));
}

/** Deletes an event, whatever its ETag, and returns the HTTP status; 404 and 410 mean that it is gone. */
export async function deleteEvent(
  account: Account,
  url: string,
  options: FetchOptions,
): Promise<number> {
  return (await sendDav(url, { method: 'DELETE' }, account, options)).status;
}

/** Returns the status and ETag of an event. Rejects if the server cannot be reached. */
export async function findEvent(
  account: Account,
  url: string,
  options: FetchOptions,
): Promise<PutResult> {
  return resultOf(await sendDav(url, { method: 'GET' }, account, options));
}
