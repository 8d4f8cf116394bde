import { Type } from 'typebox';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '#core/fault.ts';
import { readQuery } from '#lib/query-string.ts';
import { request } from '#core/schema/schema.ts';
import { cpuMs } from '../support/cpu-time.ts';

const schema = request({
  limit: Type.Optional(Type.Integer()),
  hasPhone: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String())),
  search: Type.Optional(Type.String()),
});
const UNKNOWN = `is not a known parameter here; known parameters: ${Object.keys(schema.properties).join(', ')}`;
const read = (text: string) => ({ ...readQuery(schema, new URLSearchParams(text)) });

const issuesOf = (text: string): unknown => {
  try {
    return read(text);
  } catch (error) {
    return error instanceof Fault ? error.details : undefined;
  }
};

describe('readQuery', () => {
  test.for([
    ['', {}],
    ['limit=5', { limit: 5 }],
    ['limit=-5', { limit: -5 }],
    ['limit=007', { limit: 7 }],
    ['limit=5.0', { limit: '5.0' }],
    ['limit=1e3', { limit: '1e3' }],
    ['limit=0x1', { limit: '0x1' }],
    ['limit=+5', { limit: ' 5' }],
    ['limit=', { limit: '' }],
    ['limit=9999999999999999', { limit: '9999999999999999' }],
    ['hasPhone=true', { hasPhone: true }],
    ['hasPhone=false', { hasPhone: false }],
    ['hasPhone=1', { hasPhone: '1' }],
    ['hasPhone=TRUE', { hasPhone: 'TRUE' }],
    ['tags=a,b', { tags: ['a', 'b'] }],
    ['tags=a,%20b%20', { tags: ['a', 'b'] }],
    ['tags=', { tags: [''] }],
    ['tags=a,,b', { tags: ['a', '', 'b'] }],
    ['search=a%2Cb', { search: 'a,b' }],
    ['search=5', { search: '5' }],
    ['search=a+b%2Bc', { search: 'a b+c' }],
  ] as const)('reads "%s" by the schema', ([text, values]) => {
    expect(read(text)).toEqual(values);
  });

  test.for([
    ['more=1', '/more', UNKNOWN],
    ['__proto__=1', '/__proto__', UNKNOWN],
    ['toString=1', '/toString', UNKNOWN],
    ['Limit=1', '/Limit', 'is not a known parameter here; did you mean "limit"?'],
    ['tags[]=1', '/tags[]', 'is not a known parameter here; did you mean "tags"?'],
    ['limit=1&limit=1', '/limit', 'is given more than once'],
    ['search=a%00', '/search', 'must not contain a NUL character'],
  ] as const)('refuses "%s" at %s: %s', ([text, path, message]) => {
    expect(issuesOf(text)).toEqual({ issues: [{ in: 'query', path, message }] });
  });

  test('lists the issues of other values with an unknown name, and each name once', () => {
    expect(issuesOf('more=1&hasPhone=x&limit=1&limit=y')).toEqual({
      issues: [
        { in: 'query', path: '/more', message: UNKNOWN },
        { in: 'query', path: '/limit', message: 'is given more than once' },
        { in: 'query', path: '/hasPhone', message: expect.stringContaining('must be') },
      ],
    });
  });

  test('reads every integer that JSON keeps exactly as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (n) => {
        expect(read(`limit=${n}`)).toEqual({ limit: n });
      }),
    );
  });

  test('returns or rejects any input, and pollutes no prototype', () => {
    const pairs = fc.array(fc.tuple(fc.string(), fc.string()));
    const isSound = (given: [string, string][]) =>
      typeof issuesOf(new URLSearchParams(given).toString()) === 'object' &&
      Object.keys(Object.prototype).length === 0;
    expect(() => fc.assert(fc.property(pairs, isSound))).not.toThrow();
  });
});

test('a form of unknown fields is refused at once', () => {
  const names = Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(60, 'known'));
  const known = request(Object.fromEntries(names.map((name) => [name, Type.String()])));
  const given = Array.from({ length: 40_000 }, (_, at) => `${`${at}`.padEnd(60, 'knows')}=1`);
  const form = new URLSearchParams(given.join('&'));
  const took = cpuMs(() =>
    expect(() => readQuery(known, form, 'body')).toThrow(
      /did you mean .* \(and 40009 more issues\)/,
    ),
  );
  expect(took).toBeLessThan(15_000);
});

test('a form that repeats a name is refused at once, and its repeats are counted', () => {
  const form = new URLSearchParams('limit=1&'.repeat(400_000));
  const took = cpuMs(() =>
    expect(() => readQuery(schema, form, 'body')).toThrow(
      /limit is given more than once \(and 399998 more issues\)/,
    ),
  );
  expect(took).toBeLessThan(1_500);
});
