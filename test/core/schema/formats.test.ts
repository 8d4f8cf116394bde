import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '#core/schema/formats.ts';
import { parseRate, rateText } from '#core/rate-limit.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const TAKEN: Readonly<Record<string, readonly string[]>> = {
  uuid: ['0189f0a4-7c2e-7000-8000-000000000000', '0189F0A4-7C2E-7000-8000-00000000000F'],
  email: ['a@b', 'ada.l+crm@example.co.uk', "o'hara@example.com", 'ä@exämple.de', 'A@B.C'],
  e164: ['+4930123456', '+12015550123', '+33123456789'],
  date: ['2024-02-29', '1900-01-01', '9999-12-31', '0001-01-01'],
  'date-time': [
    '2026-01-31T09:00:00Z',
    '2026-01-31T09:00Z',
    '2026-01-31T09:00:00.123456789+05:30',
    '2024-02-29T23:59:59-11:00',
    '2026-01-31T09:00:00+0530',
  ],
  'time-zone': ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'],
  currency: ['EUR', 'USD', 'JPY'],
  uri: ['https://example.com', 'http://localhost:8080/a?b=c#d', 'HTTPS://example.com'],
  search: ['ab', ' ab ', 'a b', '日本'],
  'not-only-blanks': ['', 'a', ' a ', '0'],
  'not-blank': ['a', ' a ', '0'],
};

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  uuid: [
    '',
    '0189f0a47c2e70008000000000000000',
    '{0189f0a4-7c2e-7000-8000-000000000000}',
    'g'.repeat(36),
  ],
  email: [
    '',
    'a',
    '@b',
    'a@',
    'a b@c',
    'a@b@c',
    'a@b..c',
    'a@.b',
    '<a@b>',
    'a@b.',
    'a,b@c',
    'a@b\n',
    'a\u0001b@x.de',
    'a\u0085b@x.de',
    'a\u200bb@x.de',
    'a\u00adb@x.de',
    'a@x\u200d.de',
    'a@x.d\ufeffe',
    'a\u202eb@x.de',
    'a\ud800@x.de',
  ],
  e164: [
    '',
    '4930123456',
    '+49 30 123456',
    '+123',
    '030123456',
    '+4930123456x',
    `+${'9'.repeat(40)}`,
  ],
  date: ['', '2026-02-30', '2025-02-29', '2026-13-01', '2026-1-1', '20260131', '2026-01-31T00:00'],
  'date-time': [
    '',
    '2026-01-31',
    '2026-01-31T09:00:00',
    '2026-02-30T09:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:00:00+05',
    '2026-01-31 09:00:00Z',
    '2026-01-31T09:00:00+5:30',
    '1700000000',
  ],
  'time-zone': ['', '+05:30', 'Berlin/Europe', 'Etc/', '../etc', '1'],
  currency: ['', 'eur', 'EURO', 'XX', 'ZZZ'],
  uri: ['', 'ftp://example.com', 'javascript:alert(1)', 'example.com', 'https://', '//example.com'],
  search: ['', 'a', ' a ', '   '],
  'not-only-blanks': [' ', '\t\n', '\u00a0'],
  'not-blank': ['', ' ', '\t\n', '\u00a0'],
};

describe.for(Object.entries(FORMATS))('%s', ([name, format]) => {
  test('accepts valid values', () => {
    expect((TAKEN[name] ?? []).length).toBeGreaterThan(0);
    expect(TAKEN[name]?.filter((text) => !format.test(text))).toEqual([]);
  });

  test('rejects invalid values, and says what it expects', () => {
    expect((REFUSED[name] ?? []).length).toBeGreaterThan(0);
    expect(REFUSED[name]?.filter((text) => format.test(text))).toEqual([]);
    expect(format.says).toMatch(/^must /);
  });

  test('checks any text quickly', () => {
    const hostile = ['a', '.', 'a.', '@', ' ', '+1', '0', '-', 'https://', '\0', '\ud800'];
    for (const piece of hostile) {
      const took = cpuMs(() => {
        expect(format.test(piece.repeat(100_000))).toBeTypeOf('boolean');
        expect(format.test(`a@${piece.repeat(100_000)}@`)).toBeTypeOf('boolean');
      });
      expect(took).toBeLessThan(1_000);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => typeof format.test(text) === 'boolean'),
    );
  });

  test('has a canonical form that it accepts and does not change', () => {
    for (const text of TAKEN[name] ?? []) {
      const form = format.canonical?.(text) ?? text;
      expect([format.test(form), format.canonical?.(form) ?? form]).toEqual([true, form]);
    }
  });
});

describe('parseRate', () => {
  test.for([
    ['600/1m', { limit: 600, windowMs: 60_000 }],
    ['1/30s', { limit: 1, windowMs: 30_000 }],
    ['5/2h', { limit: 5, windowMs: 7_200_000 }],
  ] as const)('reads %s', ([text, rate]) => {
    expect(parseRate(text)).toEqual(rate);
    expect(rateText(rate)).toBe(text);
  });

  test('is the inverse of the text with the largest unit', () => {
    expect(['60/60s', '60/60m', '60/90s'].map((text) => rateText(parseRate(text)!))).toEqual([
      '60/1m',
      '60/1h',
      '60/90s',
    ]);
  });

  test.for([
    '',
    '600',
    '0/1m',
    '600/0m',
    '600/m',
    '600/1d',
    '-1/1m',
    '1.5/1m',
    '600/1m ',
    '6e2/1m',
  ])('does not read "%s"', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
