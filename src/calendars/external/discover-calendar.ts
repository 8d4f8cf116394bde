import { collectionOf, NOT_CALDAV } from './caldav.ts';
import { NAMESPACES, queryDav, sendDav, type Account, type DavAnswer } from './dav-request.ts';
import type { FetchOptions } from './fetch-ics.ts';
import type { DavResponse } from './parse-multistatus.ts';

type DiscoveredCalendar = { readonly calendar: string } | { readonly failure: string };

/**
 * Returns the URL of the calendar itself: the configured one, else the account's only calendar on that
 * server (RFC 6764 and 4791). It must be discovered: a folder of calendars responds like an empty
 * calendar. The first response that cannot be read ends the discovery.
 */
export async function discoverCalendar(
  account: Account,
  options: FetchOptions,
): Promise<DiscoveredCalendar> {
  try {
    const configured = collectionOf(account);
    return (await isCalendar(configured, account, options))
      ? { calendar: configured }
      : onlyOne(await calendarsOf(account, options));
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

const NO_COLLECTION = new Set([301, 302, 307, 308, 404, 405, 501]);

/** Refused requests count as calendars: the following query then reports the server's error. */
async function isCalendar(url: string, account: Account, options: FetchOptions): Promise<boolean> {
  const answer = await propfind(url, '<d:resourcetype/>', account, options);
  const [response] = answer.responses ?? [];
  const status = response?.status ?? answer.status;
  return status >= 200 && status < 300
    ? response?.resourceTypes.includes('calendar') === true
    : !NO_COLLECTION.has(status);
}

const propfind = (
  url: string,
  properties: string,
  account: Account,
  options: FetchOptions,
  depth: '0' | '1' = '0',
): Promise<DavAnswer> => {
  const body = `<d:propfind ${NAMESPACES}><d:prop>${properties}</d:prop></d:propfind>`;
  return queryDav(url, { method: 'PROPFIND', depth, body }, account, options);
};

/** Lists the calendars in the account's home, which its principal names. */
async function calendarsOf(account: Account, options: FetchOptions): Promise<string[]> {
  const home = await homeOf(account, options);
  if (home === undefined) {
    return [];
  }
  const properties = '<d:resourcetype/><c:supported-calendar-component-set/>';
  const { status, responses = [] } = await propfind(home, properties, account, options, '1');
  return responses
    .filter((one) => isCalendarOfEvents(one, status))
    .flatMap(({ href }) => onServer(href, home, account) ?? [])
    .map((url) => collectionOf({ url }));
}

/** Some calendars are for tasks only. Without the property, a calendar accepts all components. */
const isCalendarOfEvents = (
  { href, status, resourceTypes, components }: DavResponse,
  statusOfAll: number,
): boolean =>
  href !== '' &&
  (status ?? statusOfAll) < 300 &&
  resourceTypes.includes('calendar') &&
  (components.length === 0 || components.includes('VEVENT'));

/** Returns the collection of the account's calendars on that server. */
async function homeOf(account: Account, options: FetchOptions): Promise<string | undefined> {
  const root = await wellKnown(account, options);
  for (const url of new Set([root, account.url, new URL('/', account.url).href])) {
    const answer = await propfind(url, '<d:current-user-principal/>', account, options);
    const principal = onServer(answer.responses?.[0]?.principal, url, account);
    if (principal !== undefined) {
      const { responses } = await propfind(principal, '<c:calendar-home-set/>', account, options);
      return onServer(responses?.find(({ home }) => home)?.home, principal, account);
    }
  }
  return undefined;
}

/** Returns where the server redirects clients (RFC 6764), otherwise the configured URL. */
async function wellKnown(account: Account, options: FetchOptions): Promise<string> {
  const url = new URL('/.well-known/caldav', account.url);
  for (const method of ['PROPFIND', 'GET'] as const) {
    const answer = await sendDav(url.href, { method }, account, options).catch(() => undefined);
    const { location = '' } = answer && REDIRECTS.has(answer.status) ? answer.headers : {};
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    // Behind a proxy, a server may not know its own port.
    if (location !== '' && target?.hostname === url.hostname) {
      return new URL(target.pathname, url).href;
    }
  }
  return account.url;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the absolute URL of a link, or undefined if it leads to another server, which would receive the
 * password.
 */
function onServer(link: string | undefined, base: string, { url }: Account): string | undefined {
  const target = link !== undefined && URL.canParse(link, base) ? new URL(link, base) : undefined;
  return target?.origin === new URL(url).origin ? target.href : undefined;
}

/** The error names at most this many calendars. */
const NAMED_MAX = 10;

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
