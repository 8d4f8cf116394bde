import { expect, onTestFinished, test } from 'vitest';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { OutboundRequest } from '#core/outbound.ts';
import { queryCaldav } from '../../../src/calendars/external/caldav.ts';
import { discoverCalendar } from '../../../src/calendars/external/discover-calendar.ts';

const WINDOW = { from: 0, until: 1 };
const ACCOUNT = { url: 'https://dav.example.com/cal/', user: 'a', password: 'b' };
const MALFORMED = 'it returned XML that is not well-formed';
const TOO_LATE = 'it takes too long to read';

/** A server with the same response to all requests. */
function startServer(body: string, head: { status?: number; type?: string } = {}) {
  const { status = 207, type = 'application/xml' } = head;
  const requests: string[] = [];
  const send = async ({ method, url, readMaxBytes }: OutboundRequest) => {
    requests.push(`${method} ${new URL(url).pathname}`);
    const read = Buffer.from(body).subarray(0, readMaxBytes);
    return { status, headers: { 'content-type': type }, body: read };
  };
  const end = new AbortController();
  const outbound = { send, refusal: async () => undefined, close: async () => undefined };
  const options = { outbound, signal: end.signal, timeoutMs: 60_000, subAccountId: 'a' };
  const query = () => queryCaldav(ACCOUNT.url, ACCOUNT, WINDOW, options);
  return { requests, end, query, discover: () => discoverCalendar(ACCOUNT, options) };
}

const multistatus = (properties: string) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;

const event = (size: number) => multistatus(`<calendar-data>${'x'.repeat(size)}</calendar-data>`);

/** Counts the threads that start during a test. */
function countThreads(): () => number {
  let count = 0;
  const onBegun = () => {
    count += 1;
  };
  subscribe('worker_threads', onBegun);
  onTestFinished(() => void unsubscribe('worker_threads', onBegun));
  return () => count;
}

test.for([
  ['text', 'x'.repeat(300_000)],
  ['text of a few characters', 'x'.repeat(300)],
  ['text after the root', multistatus('') + 'x'.repeat(300_000)],
  ['ampersands', multistatus('& '.repeat(150_000))],
])('the first response of a server with %s ends the discovery', async ([, body = '']) => {
  const { requests, discover } = startServer(body);
  expect(await discover()).toEqual({ failure: MALFORMED });
  expect(requests).toEqual(['PROPFIND /cal/']);
});

test('a response to a discovery is read up to 0.5 MB, and to a query up to 5 MB', async () => {
  const { requests, discover, query } = startServer(event(600_000));
  expect(await discover()).toEqual({ failure: 'it is larger than 0.5 MB' });
  expect(requests).toEqual(['PROPFIND /cal/']);
  expect(await query()).toMatchObject({ texts: ['x'.repeat(600_000)] });
  const larger = startServer(event(5_000_000));
  expect(await larger.query()).toEqual({ failure: 'it is larger than 5 MB' });
});

test('responses above 16 KiB are parsed in a thread, and smaller ones at once', async () => {
  const threads = countThreads();
  expect(await startServer(event(15_000)).query()).toMatchObject({ texts: ['x'.repeat(15_000)] });
  expect(threads()).toBe(0);
  expect(await startServer('x'.repeat(17_000)).query()).toEqual({ failure: MALFORMED });
  expect(threads()).toBeLessThanOrEqual(1);
  expect(await startServer(event(17_000)).query()).toMatchObject({ texts: ['x'.repeat(17_000)] });
});

test('a response is not read any longer once the call has ended', async () => {
  const { end, query } = startServer(event(1_000_000));
  const reading = query();
  end.abort();
  expect(await reading).toEqual({ failure: TOO_LATE });
  const other = startServer(event(1_000_000));
  expect(await other.query()).toMatchObject({ texts: ['x'.repeat(1_000_000)] });
});

test.for([
  ['elements', (count: number) => '<a/>'.repeat(count)],
  [
    'attributes',
    (count: number) => `<a ${Array.from({ length: count }, (_, at) => `b${at}=""`).join(' ')}/>`,
  ],
] as const)('a response of a server with too many %s is not read', async ([, properties]) => {
  expect(await startServer(multistatus(properties(200_000))).query()).toEqual({
    failure: 'it has too much XML markup',
  });
  expect(await startServer(multistatus(properties(100))).query()).toMatchObject({ texts: [] });
});

const refused = (status: string, more = '') =>
  `<multistatus><response><href>/cal/</href><status>HTTP/1.1 ${status}</status>${more}</response></multistatus>`;

/** A response with an event, and one whose event has that status. */
const oneOf = (status: string, data = '<c:calendar-data/>') =>
  multistatus('<calendar-data>event</calendar-data>').replace(
    '</d:multistatus>',
    `<d:response><d:href>/b</d:href><d:propstat><d:prop xmlns:c="c">${data}</d:prop><d:status>HTTP/1.1 ${status}</d:status></d:propstat></d:response></d:multistatus>`,
  );

const DELETED =
  '<d:response><d:href>/b</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>';

test.for([
  ['an error', '<a/>', { status: 403 }, 'it returned 403'],
  ['a redirect', '', { status: 302 }, 'it returned 302'],
  ['a page', '<html>', { status: 200, type: 'text/html' }, 'it is not a CalDAV calendar'],
  ['another document', '<a/>', {}, 'it is not a CalDAV calendar'],
  ['an error of one event', refused('500 Error'), {}, 'it returned 500'],
  ['an error of the calendar', refused('404 Not Found', '<propstat/>'), {}, 'it returned 404'],
  ['nothing found', refused('404 Not Found'), {}, []],
  ['an event that it may not read', oneOf('403 Forbidden'), {}, 'it returned 403 for an event'],
  ['an event with an error', oneOf('500 Error'), {}, 'it returned 500 for an event'],
  ['an event without data', oneOf('200 OK'), {}, 'it returned an event without data'],
  ['an entry that is no event', oneOf('404 Not Found'), {}, ['event']],
  ['an entry without data', oneOf('200 OK', '<d:getetag/>'), {}, ['event']],
  [
    'an event that was deleted meanwhile',
    oneOf('404 Not Found').replace('</d:multistatus>', `${DELETED}</d:multistatus>`),
    {},
    ['event'],
  ],
  ['nothing', '', {}, []],
  ['nothing instead of a multistatus', '', { status: 200 }, 'it is not a CalDAV calendar'],
  ['no events', '<multistatus/>', {}, []],
] as const)('a query understands %s', async ([, body, head, expected]) => {
  const found = await startServer(body, head).query();
  const texts = 'texts' in found ? found.texts : undefined;
  expect('failure' in found ? found.failure : texts).toEqual(expected);
});
