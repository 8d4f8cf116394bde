import type { OutboundRequest } from '#core/outbound.ts';
import type { ExternalSetup } from './external-setup.ts';
import { CALENDAR_MAX_BYTES, TOO_LARGE, type FetchedIcs, type FetchOptions } from './fetch-ics.ts';

export type Account = Pick<ExternalSetup, 'url' | 'user' | 'password'>;

/** An address as that of a collection; without its last slash servers redirect. */
export const collectionOf = ({ url }: Pick<Account, 'url'>): string => url.replace(/\/?$/, '/');

/** The calendar itself: as it was found, until then as it was given. */
export const calendarOf = ({ url, validators }: ExternalSetup): string =>
  validators.calendar ?? collectionOf({ url });

/** The events of a CalDAV calendar, by its own address, that touch a time. */
export async function queryCaldav(
  url: string,
  account: Account,
  { from, until }: { readonly from: number; readonly until: number },
  way: FetchOptions,
): Promise<FetchedIcs> {
  const { calendarQuery } = await import('tsdav');
  const timeRange = { _attributes: { start: stampOf(from), end: stampOf(until) } };
  const events = { _attributes: { name: 'VEVENT' }, 'time-range': timeRange };
  const filters = { 'comp-filter': { _attributes: { name: 'VCALENDAR' }, 'comp-filter': events } };
  const props = { 'd:getetag': {}, 'c:calendar-data': {} };
  const found = await calendarQuery({
    ...ways(account, way),
    url,
    props,
    filters,
    depth: '1',
  }).catch(failureOf);
  if ('failure' in found) {
    return found;
  }
  const refused = found.find(({ ok, props: told }) => !ok || told === undefined);
  if (refused) {
    const { status } = refused;
    return { failure: status >= 300 ? `it answered ${status}` : 'it is no CalDAV calendar' };
  }
  const texts = found.flatMap(({ props: told }) => textOf(told?.['calendarData']) ?? []);
  return { texts, validators: { calendar: url } };
}

/** What came of writing: the new ETag where it is told, the status where it was refused. */
export interface Put {
  readonly status: number;
  readonly etag: string | null;
}

/** `etag` is that of the event to be written over; null writes a new one and over none. */
export async function putEvent(
  account: Account,
  url: string,
  event: { readonly ics: string; readonly etag: string | null },
  way: FetchOptions,
): Promise<Put> {
  const { createObject, updateObject } = await import('tsdav');
  const { headers, fetch } = ways(account, way);
  const typed = { ...headers, 'content-type': 'text/calendar; charset=utf-8' };
  const { ics: data, etag } = event;
  const answer =
    etag === null
      ? await createObject({ url, data, headers: { ...typed, 'if-none-match': '*' }, fetch })
      : await updateObject({ url, data, etag, headers: typed, fetch });
  return { status: answer.status, etag: answer.headers.get('etag') };
}

/** Whatever became of it meanwhile; 404 and 410 say that it is not there. */
export async function deleteEvent(
  account: Account,
  url: string,
  way: FetchOptions,
): Promise<number> {
  const { deleteObject } = await import('tsdav');
  const { headers, fetch } = ways(account, way);
  return (await deleteObject({ url, headers, fetch })).status;
}

/** Whether an event is there, and its ETag; rejects where nobody can tell. */
export async function findEvent(account: Account, url: string, way: FetchOptions): Promise<Put> {
  const { headers, fetch } = ways(account, way);
  const answer = await fetch(url, { method: 'GET', headers });
  return { status: answer.status, etag: answer.headers.get('etag') };
}

/** How tsdav goes out: as all that sub-accounts can name does, and after no redirect. */
export function ways({ user, password }: Account, way: FetchOptions) {
  const login = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64');
  const headers = { authorization: `Basic ${login}`, 'user-agent': 'Frontdesk/1.0' };
  return { headers, fetch: fetchBy(way) };
}

/** A PUT or DELETE that is repeated meets its own result: 412 or 404 where it had succeeded. */
const READS: ReadonlySet<string> = new Set(['GET', 'REPORT', 'PROPFIND']);

const fetchBy =
  ({ outbound, signal, timeoutMs }: FetchOptions): typeof globalThis.fetch =>
  async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = (init.method ?? 'GET') as OutboundRequest['method'];
    const answer = await outbound.send({
      url,
      method,
      isRepeatable: READS.has(method),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' && { body: init.body }),
      timeoutMs,
      readMaxBytes: CALENDAR_MAX_BYTES + 1,
      signal,
    });
    if ('failure' in answer) {
      throw new Error(answer.failure);
    }
    const { status, headers, body } = answer;
    if (body.length > CALENDAR_MAX_BYTES) {
      throw new Error(TOO_LARGE);
    }
    const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? new Uint8Array(body) : null, { status, headers });
  };

/** tsdav tells of a refused query with the page that came along. */
export function failureOf({ message }: Error): { readonly failure: string } {
  const [, status] = /^Collection query failed: (\d{3})/.exec(message) ?? [];
  return { failure: status === undefined ? message : `it answered ${status}` };
}

/** `20260302T090000Z` */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');

function textOf(data: unknown): string | undefined {
  const text = (data as { _cdata?: unknown } | null)?._cdata ?? data;
  return typeof text === 'string' ? text : undefined;
}
