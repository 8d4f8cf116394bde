import type { OutboundRequest } from '#core/outbound.ts';
import type { ExternalSetup } from './external-setup.ts';
import { CALENDAR_MAX_BYTES, TOO_LARGE, type FetchedIcs, type FetchOptions } from './fetch-ics.ts';

type Account = Pick<ExternalSetup, 'url' | 'user' | 'password'>;

/** Returns the URL with a slash at the end: without it, servers redirect. */
const collectionOf = ({ url }: Pick<Account, 'url'>): string => url.replace(/\/?$/, '/');

/** Returns the URL of the calendar itself: the discovered one, until then the configured one. */
export const calendarOf = ({ url, validators }: ExternalSetup): string =>
  validators.calendar ?? collectionOf({ url });

/** Returns the events of a CalDAV calendar that overlap a time. */
export async function queryCaldav(
  url: string,
  account: Account,
  { from, until }: { readonly from: number; readonly until: number },
  options: FetchOptions,
): Promise<FetchedIcs> {
  // Imported where it is used: keeps tsdav out of processes without CalDAV calendars.
  const { calendarQuery } = await import('tsdav');
  const timeRange = { _attributes: { start: stampOf(from), end: stampOf(until) } };
  const events = { _attributes: { name: 'VEVENT' }, 'time-range': timeRange };
  const filters = { 'comp-filter': { _attributes: { name: 'VCALENDAR' }, 'comp-filter': events } };
  const requested = { 'd:getetag': {}, 'c:calendar-data': {} };
  const found = await calendarQuery({
    ...requestOptions(account, options),
    url,
    props: requested,
    filters,
    depth: '1',
  }).catch(failureOf);
  if ('failure' in found) {
    return found;
  }
  const refused = found.find(({ ok, props }) => !ok || props === undefined);
  if (refused) {
    const { status } = refused;
    return { failure: status >= 300 ? `it returned ${status}` : NOT_CALDAV };
  }
  const texts = found.flatMap(({ props }) => textOf(props?.['calendarData']) ?? []);
  return { texts, validators: { calendar: url } };
}

/** The result of a write: the HTTP status, and the new ETag if the server sends one. */
export interface PutResult {
  readonly status: number;
  readonly etag: string | null;
}

/** Writes an event. `etag` is the one of the event to overwrite; null creates one and overwrites nothing. */
export async function putEvent(
  account: Account,
  url: string,
  event: { readonly ics: string; readonly etag: string | null },
  options: FetchOptions,
): Promise<PutResult> {
  const { createObject, updateObject } = await import('tsdav');
  const { headers, fetch } = requestOptions(account, options);
  const typed = { ...headers, 'content-type': 'text/calendar; charset=utf-8' };
  const { ics: data, etag } = event;
  const answer =
    etag === null
      ? await createObject({ url, data, headers: { ...typed, 'if-none-match': '*' }, fetch })
      : await updateObject({ url, data, etag, headers: typed, fetch });
  return { status: answer.status, etag: answer.headers.get('etag') };
}

/** Deletes an event, whatever its ETag, and returns the HTTP status; 404 and 410 mean that it is gone. */
export async function deleteEvent(
  account: Account,
  url: string,
  options: FetchOptions,
): Promise<number> {
  const { deleteObject } = await import('tsdav');
  const { headers, fetch } = requestOptions(account, options);
  return (await deleteObject({ url, headers, fetch })).status;
}

/** Returns the status and ETag of an event. Rejects if the server cannot be reached. */
export async function findEvent(
  account: Account,
  url: string,
  options: FetchOptions,
): Promise<PutResult> {
  const { headers, fetch } = requestOptions(account, options);
  const answer = await fetch(url, { method: 'GET', headers });
  return { status: answer.status, etag: answer.headers.get('etag') };
}

/** Sends tsdav's requests through our guarded client, without following redirects. */
function requestOptions({ user, password }: Account, options: FetchOptions) {
  const login = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64');
  const headers = { authorization: `Basic ${login}`, 'user-agent': 'Frontdesk/1.0' };
  return { headers, fetch: fetchBy(options) };
}

/** A repeated PUT or DELETE would meet its own result: 412 or 404 after a success. */
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
      isPlainPublic: true,
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
    if (hasTooMuchMarkup(body)) {
      throw new Error(TOO_COMPLEX);
    }
    const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? new Uint8Array(body) : null, { status, headers });
  };

/** Far above 5 MB of events. */
const MARKUP_MAX = 150_000;
const TOO_COMPLEX = 'it has too much XML markup';

/** 5 MB of tags or attributes would block the process for many seconds. */
function hasTooMuchMarkup(body: Buffer): boolean {
  const text = body.toString('latin1');
  let found = 0;
  for (const mark of ['<', '="', "='"]) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
      found += 1;
      if (found > MARKUP_MAX) {
        return true;
      }
    }
  }
  return false;
}

/** tsdav's errors contain the whole response page; this keeps the status. */
function failureOf({ message }: Error): { readonly failure: string } {
  const [, status] = /^Collection query failed: (\d{3})/.exec(message) ?? [];
  return { failure: status === undefined ? message : `it returned ${status}` };
}

/** `20260302T090000Z` */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');

function textOf(data: unknown): string | undefined {
  const text = (data as { _cdata?: unknown } | null)?._cdata ?? data;
  return typeof text === 'string' ? text : undefined;
}

type DiscoveredCalendar = { readonly calendar: string } | { readonly failure: string };

/** The error names at most this many calendars. */
const NAMED_MAX = 10;

/**
 * Returns the URL of the calendar itself: the configured one, else the account's only calendar on that
 * server (RFC 6764 and 4791). It must be discovered: a folder of calendars responds like an empty
 * calendar.
 */
export async function discoverCalendar(
  account: Account,
  options: FetchOptions,
): Promise<DiscoveredCalendar> {
  try {
    const configured = collectionOf(account);
    return (await isCalendar(configured, account, options))
      ? { calendar: configured }
      : onlyOne(await calendarsOf(account, options).catch(() => []));
  } catch (error) {
    return failureOf(error as Error);
  }
}

/** Refused requests count as calendars: the following query then reports the server's error. */
async function isCalendar(url: string, account: Account, options: FetchOptions): Promise<boolean> {
  const { propfind } = await import('tsdav');
  const props = { 'd:resourcetype': {} };
  const [response] = await propfind({
    ...requestOptions(account, options),
    url,
    props,
    depth: '0',
  });
  return response?.ok ? isOfCalendar(response.props) : !NO_COLLECTION.has(response?.status ?? 0);
}

const NO_COLLECTION = new Set([301, 302, 307, 308, 404, 405, 501]);

/** Lists the calendars in the account's home, which its principal names. */
async function calendarsOf(account: Account, options: FetchOptions): Promise<string[]> {
  const { createAccount, propfind } = await import('tsdav');
  const { headers, fetch } = requestOptions(account, options);
  const { origin } = new URL(account.url);
  const sameOrigin = {
    headers,
    // Discovered URLs must not lead to another server, which would receive the password.
    fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const to = new URL(input instanceof Request ? input.url : input);
      return to.origin === origin ? fetch(input, init) : Promise.reject(new Error(OTHER_SERVER));
    },
  };
  const plain = { serverUrl: account.url, accountType: 'caldav' } as const;
  const { homeUrl: url = '' } = await createAccount({ ...sameOrigin, account: plain });
  const props = { 'd:resourcetype': {}, 'c:supported-calendar-component-set': {} };
  const found = await propfind({ ...sameOrigin, url, props, depth: '1' });
  return found
    .filter((one) => one.href && one.ok && isOfCalendar(one.props) && isOfEvents(one.props))
    .map(({ href = '' }) => collectionOf({ url: new URL(href, url).href }))
    .filter((one) => new URL(one).origin === origin);
}

const OTHER_SERVER = 'it leads to another server';
const NOT_CALDAV = 'it is not a CalDAV calendar';

type Props = Readonly<Record<string, any>> | undefined;

const isOfCalendar = (props: Props): boolean =>
  Object.keys(props?.['resourcetype'] ?? {}).includes('calendar');

/** Some calendars are for tasks only. Without the property, a calendar accepts all components. */
const isOfEvents = (props: Props): boolean => {
  const components = JSON.stringify(props?.['supportedCalendarComponentSet'] ?? {});
  return components === '{}' || components.includes('VEVENT');
};

function onlyOne(calendars: readonly string[]): DiscoveredCalendar {
  const [only, ...others] = calendars;
  if (only === undefined) {
    return { failure: NOT_CALDAV };
  }
  const named = calendars.slice(0, NAMED_MAX).join(', ');
  return others.length === 0
    ? { calendar: only }
    : { failure: `it has several calendars; use the URL of one of them: ${named}` };
}
