import { expect, test } from 'vitest';
import type { OutboundRequest } from '#core/outbound.ts';
import type { View } from '#core/work.ts';
import type { ExternalSetup, Validators } from '../../../src/calendars/external/external-setup.ts';
import { fetchCalendar } from '../../../src/calendars/external/fetch-calendar.ts';
import { digestOf } from '../../../src/calendars/external/digest-calendar.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const HOUR = { from: NOW.getTime(), until: NOW.getTime() + 3_600_000 };

const idOf = (n: number) => `01a2272c-0000-7000-a000-${n.toString(16).padStart(12, '0')}`;

const calendarWith = (count: number) =>
  [
    'BEGIN:VCALENDAR',
    ...Array.from({ length: count }, (_, n) => [
      'BEGIN:VEVENT',
      `UID:${idOf(n)}@frontdesk`,
      'DTSTART:20260302T090000Z',
      'DURATION:PT1H',
      'END:VEVENT',
    ]).flat(),
    'END:VCALENDAR',
  ].join('\r\n');

const multistatusOf = (text: string) =>
  `<multistatus><response><href>/a</href><propstat><prop><calendar-data>${text}</calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`;

/** A server with one calendar, and a database that has appointments with these ids. */
function startFetching(type: 'ics' | 'caldav', text: string, stored: readonly string[] = []) {
  const lookups: number[] = [];
  const rows = async (_: string, [, ids]: readonly [string, readonly string[]]) => {
    lookups.push(ids.length);
    return ids.filter((id) => stored.includes(id)).map((id) => ({ id }));
  };
  const view = { subAccountId: 'a', now: NOW, rows } as unknown as View;
  const send = async ({ readMaxBytes }: OutboundRequest) => {
    const body = Buffer.from(type === 'ics' ? text : multistatusOf(text)).subarray(0, readMaxBytes);
    const status = type === 'ics' ? 200 : 207;
    return { status, headers: { 'content-type': 'application/xml' }, body };
  };
  const outbound = { send, refusal: async () => undefined, close: async () => undefined };
  const { signal } = new AbortController();
  const options = { outbound, subAccountId: 'a', signal, timeoutMs: 60_000 };
  const calendar = 'https://cal.example.com/a';
  const fetched = (known: Validators = {}) => {
    const validators = { readAt: NOW.getTime(), calendar, ...known };
    const setup = { type, url: calendar, timezone: 'UTC', validators } as ExternalSetup;
    return fetchCalendar(view, setup, options);
  };
  return { lookups, view, fetched };
}

test('our appointments among the events are looked up a thousand at a time', async () => {
  const { lookups, fetched } = startFetching('ics', calendarWith(2_500), [idOf(2_400)]);
  const found = await fetched();
  expect(lookups).toEqual([1_000, 1_000, 500]);
  expect(found).toMatchObject({ synced: new Set([idOf(2_400)]) });
  expect('busy' in found && found.busy).toHaveLength(2_499);
});

test('a calendar with events of more than 20,000 appointments is refused without a lookup', async () => {
  const uids = Array.from({ length: 20_001 }, (_, n) => `UID:${idOf(n)}@frontdesk`);
  const { lookups, fetched } = startFetching('ics', uids.join('\n'));
  expect(await fetched()).toEqual({
    failure: 'it cannot be read: it has events of more than 20000 appointments',
  });
  expect(lookups).toEqual([]);
  expect(digestOf([[...uids.slice(1), ...uids.slice(1)].join('\n')]).ids).toHaveLength(20_000);
});

test.for([
  ['small', 1, 1],
  ['large', 1_200, 2],
] as const)('an unchanged %s ICS file costs no lookup', async ([, count, lookupsOfOne]) => {
  const { lookups, fetched } = startFetching('ics', calendarWith(count));
  const { hash } = digestOf([calendarWith(count)]);
  expect(await fetched()).toMatchObject({ validators: { hash } });
  expect(lookups).toHaveLength(lookupsOfOne);
  expect(await fetched({ hash })).toEqual({ isUnchanged: true, synced: undefined });
  expect(lookups).toHaveLength(lookupsOfOne);
});

test('our events are known in a CalDAV calendar, changed or not', async () => {
  const text = calendarWith(2);
  const { fetched } = startFetching('caldav', text, [idOf(1)]);
  const synced = new Set([idOf(1)]);
  const { hash } = digestOf([text]);
  expect(await fetched()).toMatchObject({ busy: [HOUR], synced, validators: { hash } });
  expect(await fetched({ hash })).toEqual({ isUnchanged: true, synced });
});

test('an error of the database is no failure of the calendar', async () => {
  const { view, fetched } = startFetching('ics', calendarWith(2_000));
  view.rows = () => Promise.reject(new Error('too many connections'));
  await expect(fetched()).rejects.toThrow('too many connections');
});
