import { describe, expect, test } from 'vitest';
import { propertiesOf, readComponents } from '../../../src/calendars/external/read-components.ts';

const EVENT = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260302T090000Z\r\nEND:VEVENT\r\n';
const calendar = (content: string) => `BEGIN:VCALENDAR\r\n${content}END:VCALENDAR\r\n`;

test.for([
  ['nothing', '', 'it has no VCALENDAR'],
  ['a page', '<!doctype html>\n<p>Sign in</p>', 'it has no VCALENDAR'],
  ['JSON', '{"error": 1}', 'it has no VCALENDAR'],
  ['an event alone', EVENT, 'it has no VCALENDAR'],
  ['half of a calendar', calendar(EVENT).slice(0, -20), 'it ends before END:VCALENDAR'],
  ['half of an event', calendar(EVENT).slice(0, 40), 'it ends before END:VCALENDAR'],
])('%s is no calendar', ([, text = '', reason]) => {
  expect(() => readComponents([text])).toThrow(reason);
  expect(() => readComponents([calendar(EVENT), text])).toThrow(reason);
});

test('a calendar may be empty', () => {
  expect(readComponents([calendar('VERSION:2.0\r\n')])).toEqual([
    { events: [], freeBusy: [], zones: [] },
  ]);
});

describe('the lines of an event are found', () => {
  test.for<[string, (text: string) => string]>([
    ['in a file as it should be', (text) => text],
    ['after a byte order mark', (text) => `\uFEFF${text}`],
    ['with LF', (text) => text.replaceAll('\r\n', '\n')],
    ['with CR', (text) => text.replaceAll('\r\n', '\r')],
    ['with empty lines', (text) => text.replaceAll('\r\n', '\r\n\r\n')],
    ['in lower case', (text) => text.toLowerCase().replace('z', 'Z').replace('t09', 'T09')],
    ['beside other text', (text) => `<b>Notice</b>\r\n${text}<!-- served -->`],
    ['without the end of an alarm', (text) => text.replace('END:VEV', 'BEGIN:VALARM\r\nEND:VEV')],
    ['without an end of its own', (text) => text.replace('END:VEVENT\r\n', '')],
  ])('%s', ([, change]) => {
    const [found] = readComponents([change(calendar(EVENT))]);
    const lines = found?.events.flatMap(propertiesOf).map(({ name, value }) => [name, value]);
    expect(lines).toEqual([
      ['UID', '1'],
      ['DTSTART', '20260302T090000Z'],
    ]);
  });

  test('with parameters, quoted ones without their marks', () => {
    const line = 'dtstart;x="a;b:c";TZID="Europe/Berlin";VALUE=DATE:20260302:x';
    const [property] = propertiesOf([line]);
    expect(property).toMatchObject({ name: 'DTSTART', value: '20260302:x' });
    expect([...(property?.parameters ?? [])]).toEqual([
      ['X', 'a;b:c'],
      ['TZID', 'Europe/Berlin'],
      ['VALUE', 'DATE'],
    ]);
  });
});

test('the parts of a zone belong to it', () => {
  const zone =
    'BEGIN:VTIMEZONE\r\nTZID:x\r\nBEGIN:STANDARD\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n';
  const [found] = readComponents([calendar(`${zone}COMMENT:y\r\nEND:VTIMEZONE\r\n`)]);
  expect(found?.zones).toEqual([[...zone.trim().split('\r\n'), 'END:VTIMEZONE']]);
});

test('a calendar has at most 300,000 lines, in all its texts', () => {
  const half = calendar('A:\r\n'.repeat(149_998));
  expect(readComponents([half, half])).toHaveLength(2);
  const reason = 'it has more than 300000 lines or values';
  expect(() => readComponents([half, half, calendar('')])).toThrow(reason);
});

test.for(['RDATE:', 'DTSTART;'])('the values of %s count as lines', (start) => {
  const event = (count: number) =>
    calendar(`BEGIN:VEVENT\r\n${start}${'A=B,'.repeat(count)}:\r\nEND:VEVENT\r\n`);
  expect(readComponents([event(299_000)])).toHaveLength(1);
  expect(() => readComponents([event(300_000)])).toThrow('more than 300000 lines or values');
});
