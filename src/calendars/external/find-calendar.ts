import { collectionOf, failureOf, ways, type Account } from './caldav.ts';
import type { FetchOptions } from './fetch-ics.ts';

type FoundCalendar = { readonly calendar: string } | { readonly failure: string };

/** How many calendars are named to who has to choose. */
const NAMED_MAX = 10;

/**
 * The address of the calendar itself: the given one, else that of the only calendar which the server
 * has for the account (RFC 6764 and 4791). A folder of calendars would answer like an empty one.
 */
export async function findCalendar(account: Account, way: FetchOptions): Promise<FoundCalendar> {
  try {
    const given = collectionOf(account);
    return (await isCalendar(given, account, way))
      ? { calendar: given }
      : chosenOf(await calendarsOf(account, way).catch(() => []));
  } catch (error) {
    return failureOf(error as Error);
  }
}

/** What a server refuses or cannot say is taken for one: its answer to the query is told. */
async function isCalendar(url: string, account: Account, way: FetchOptions): Promise<boolean> {
  const { propfind } = await import('tsdav');
  const props = { 'd:resourcetype': {} };
  const [told] = await propfind({ ...ways(account, way), url, props, depth: '0' });
  return told?.ok ? isOfCalendar(told.props) : !NO_COLLECTION.has(told?.status ?? 0);
}

const NO_COLLECTION = new Set([301, 302, 307, 308, 404, 405, 501]);

/** Asked of the account's own folder, which its principal names. */
async function calendarsOf(account: Account, way: FetchOptions): Promise<string[]> {
  const { createAccount, propfind } = await import('tsdav');
  const { headers, fetch } = ways(account, way);
  const { origin } = new URL(account.url);
  const near = {
    headers,
    // What is found there leads to no other server, which would be told the password.
    fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const to = new URL(input instanceof Request ? input.url : input);
      return to.origin === origin ? fetch(input, init) : Promise.reject(new Error(LEADS_AWAY));
    },
  };
  const plain = { serverUrl: account.url, accountType: 'caldav' } as const;
  const { homeUrl: url = '' } = await createAccount({ ...near, account: plain });
  const props = { 'd:resourcetype': {}, 'c:supported-calendar-component-set': {} };
  const found = await propfind({ ...near, url, props, depth: '1' });
  return found
    .filter(({ href, ok, props: told }) => href && ok && isOfCalendar(told) && isOfEvents(told))
    .map(({ href = '' }) => collectionOf({ url: new URL(href, url).href }))
    .filter((one) => new URL(one).origin === origin);
}

const LEADS_AWAY = 'it leads to another server';

type Props = Readonly<Record<string, any>> | undefined;

const isOfCalendar = (props: Props): boolean =>
  Object.keys(props?.['resourcetype'] ?? {}).includes('calendar');

/** Some are for tasks alone; one that does not say takes all kinds. */
const isOfEvents = (props: Props): boolean => {
  const told = JSON.stringify(props?.['supportedCalendarComponentSet'] ?? {});
  return told === '{}' || told.includes('VEVENT');
};

function chosenOf(calendars: readonly string[]): FoundCalendar {
  const [only, ...others] = calendars;
  if (only === undefined) {
    return { failure: 'it is no CalDAV calendar' };
  }
  const named = calendars.slice(0, NAMED_MAX).join(', ');
  return others.length === 0
    ? { calendar: only }
    : { failure: `it has several calendars, name one of them: ${named}` };
}
