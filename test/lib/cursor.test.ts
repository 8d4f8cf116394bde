import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openCursor, sealCursor, type List } from '#lib/cursor.ts';
import { Fault } from '#core/fault.ts';

const SECRET = createSecretKey(Buffer.alloc(32, 7));
const NOW = new Date('2026-01-31T09:00:00Z');
const LIST: List = {
  endpoint: 'contacts.list',
  subAccountId: 'a',
  filters: { tags: ['x', 'y'], search: undefined, hasPhone: true },
};
const later = (ms: number) => new Date(NOW.getTime() + ms);
const DAY_MS = 24 * 3_600_000;

const opened = (list: List, cursor: string, now = NOW, secret = SECRET) => {
  try {
    return openCursor(secret, list, cursor, now);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return (error as Fault).code;
  }
};

const reasonOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return ((error as Fault).details as { reason?: string }).reason;
  }
};

describe('a cursor', () => {
  test('returns its position, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (place) => {
        expect(openCursor(SECRET, LIST, sealCursor(SECRET, LIST, place, NOW), NOW)).toBe(place);
      }),
    );
  });

  test('needs no escaping in a query and is opaque', () => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test.for([
    ['another endpoint', { endpoint: 'tasks.list' }],
    ['another sub-account', { subAccountId: 'b' }],
    ['no filters', { filters: {} }],
    ['a filter more', { filters: { ...LIST.filters, source: 'web' } }],
    ['other items', { filters: { ...LIST.filters, tags: ['x'] } }],
    ['items that read alike', { filters: { ...LIST.filters, tags: ['x,y'] } }],
    ['a value of another type', { filters: { ...LIST.filters, hasPhone: 'true' } }],
  ] as const)('is refused by %s', ([, other]) => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    expect(opened({ ...LIST, ...other }, cursor)).toBe('VALIDATION_ERROR');
  });

  test('does not depend on the order of filters, nor on absent ones', () => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    const filters = { hasPhone: true, source: undefined, tags: ['x', 'y'] };
    expect(opened({ ...LIST, filters }, cursor)).toBe('place');
  });

  test('is valid for a day', () => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    expect(opened(LIST, cursor, later(DAY_MS))).toBe('place');
    expect(opened(LIST, cursor, later(DAY_MS + 1))).toBe('VALIDATION_ERROR');
  });

  test('gives a reason only if it has expired: a job may then start again', () => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    const at = (list: List) => reasonOf(() => openCursor(SECRET, list, cursor, later(DAY_MS + 1)));
    expect(at(LIST)).toBe('cursor_expired');
    expect(at({ ...LIST, subAccountId: 'b' })).toBeUndefined();
  });

  test('is rejected under another secret', () => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    expect(opened(LIST, cursor, NOW, createSecretKey(Buffer.alloc(32, 8)))).toBe(
      'VALIDATION_ERROR',
    );
  });

  test('is rejected if any character is changed', () => {
    const cursor = sealCursor(SECRET, LIST, 'place', NOW);
    const character = fc.constantFrom(
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ !'.split(''),
    );
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), character, (index, instead) => {
        const altered = cursor.slice(0, index) + instead + cursor.slice(index + 1);
        fc.pre(altered !== cursor);
        expect(opened(LIST, altered)).toBe('VALIDATION_ERROR');
      }),
      { numRuns: 500 },
    );
  });

  test('is rejected if it is any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(opened(LIST, text)).toBe('VALIDATION_ERROR');
      }),
    );
  });
});
