import ICAL from 'ical.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretsOf } from '#platform/config/secrets.ts';
import { customerIcs } from '../../../../src/booking/feeds/appointment-ics.ts';
import { manageLink, readManageToken } from '../../../../src/booking/pages/manage/manage-link.ts';

const SECRETS = secretsOf(Buffer.alloc(32, 1));
const OTHERS = secretsOf(Buffer.alloc(32, 2));
const tokenIn = (link: string): string => link.split('/').at(-1) ?? '';
const managed = fc.record({ subAccountId: fc.uuid(), appointmentId: fc.uuid() });

describe('a manage link', () => {
  test('names its appointment, and only this installation accepts it', () => {
    fc.assert(
      fc.property(managed, (given) => {
        const link = manageLink(SECRETS, 'https://crm.example', given);
        expect(link).toMatch(/^https:\/\/crm\.example\/book\/manage\/[\w-]{64}$/);
        expect(readManageToken(SECRETS, tokenIn(link))).toEqual(given);
        expect(readManageToken(OTHERS, tokenIn(link))).toBeUndefined();
      }),
    );
  });

  test('is rejected once a character is changed, added or removed', () => {
    fc.assert(
      fc.property(
        managed,
        fc.nat(63),
        fc.constantFrom('A', 'Z', 'a', '0', '9', '-', '_'),
        (given, at, character) => {
          const token = tokenIn(manageLink(SECRETS, '', given));
          const changed = token.slice(0, at) + character + token.slice(at + 1);
          const says = readManageToken(SECRETS, changed);
          expect(says).toEqual(changed === token ? given : undefined);
          expect(readManageToken(SECRETS, token.slice(1))).toBeUndefined();
          expect(readManageToken(SECRETS, `${token}A`)).toBeUndefined();
        },
      ),
    );
  });
});

describe('an .ics file', () => {
  const GIVEN = {
    id: '01a20080-b5f8-77cd-8e5c-359ae29b91f6',
    title: 'Check-up; teeth, "all"\nof them',
    start: new Date('2026-12-01T09:00:00Z'),
    end: new Date('2026-12-01T09:30:00Z'),
    isCancelled: false,
    createdAt: new Date('2026-11-01T09:00:00Z'),
    updatedAt: new Date('2026-11-01T09:00:00Z'),
    url: 'https://crm.example/book/manage/abc',
    host: 'Harbour: Dental',
  };
  const read = (text: string) => {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const event = calendar.getFirstSubcomponent('vevent');
    const value = (name: string) => String(event?.getFirstPropertyValue(name));
    return { method: calendar.getFirstPropertyValue('method'), value };
  };

  test('has the times in UTC and any title', async () => {
    const { method, value } = read(await customerIcs([GIVEN]));
    expect(method).toBeNull();
    expect(value('summary')).toBe(GIVEN.title);
    expect(value('dtstart')).toBe('2026-12-01T09:00:00Z');
    expect(value('dtend')).toBe('2026-12-01T09:30:00Z');
    expect(value('url')).toBe(GIVEN.url);
  });

  test('ends every line with CRLF, the last one too, and has no METHOD', async () => {
    for (const isCancelled of [false, true]) {
      const text = await customerIcs([{ ...GIVEN, isCancelled }]);
      expect(text).toMatch(/[^\r\n]\r\nEND:VCALENDAR\r\n$/);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(text).not.toMatch(/^METHOD:/m);
    }
  });

  test('keeps its UID, raises SEQUENCE with each change, and has the status CANCELLED', async () => {
    const first = read(await customerIcs([GIVEN]));
    const changed = { ...GIVEN, updatedAt: new Date('2026-11-02T09:00:00Z'), isCancelled: true };
    const second = read(await customerIcs([changed]));
    expect(second.value('uid')).toBe(first.value('uid'));
    expect(Number(second.value('sequence'))).toBeGreaterThan(Number(first.value('sequence')));
    expect([second.method, second.value('status')]).toEqual([null, 'CANCELLED']);
  });
});
