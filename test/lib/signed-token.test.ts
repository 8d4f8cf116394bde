import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readToken, signToken, verifyToken } from '#lib/signed-token.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const OTHER_KEY = createSecretKey(Buffer.alloc(32, 2));
const subject = fc.record({ subAccountId: fc.uuid(), id: fc.uuid() });

test('a token opens its record with the same key and context only', () => {
  fc.assert(
    fc.property(subject, fc.string(), fc.string(), (record, context, other) => {
      const token = signToken(KEY, record, context);
      expect(token).toMatch(/^[\w-]{64}$/);
      expect(verifyToken(KEY, token, context)).toEqual(record);
      expect(verifyToken(OTHER_KEY, token, context)).toBeUndefined();
      expect(verifyToken(KEY, token, other)).toEqual(other === context ? record : undefined);
    }),
  );
});

test('a changed token opens nothing, and a malformed one names nothing', () => {
  fc.assert(
    fc.property(subject, fc.nat(63), (record, at) => {
      const token = signToken(KEY, record);
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(verifyToken(KEY, changed)).toBeUndefined();
      expect(readToken(token.slice(1))).toBeUndefined();
      expect(readToken(`${token}A`)).toBeUndefined();
    }),
  );
});

test('a token is the same in every release', () => {
  const record = {
    subAccountId: '01890a5d-ac96-774b-bcce-b302099a8057',
    id: '01890a5d-ac96-774b-bcce-b302099a8058',
  };
  expect(signToken(KEY, record)).toBe(
    'AYkKXayWd0u8zrMCCZqAVwGJCl2slndLvM6zAgmagFiYKKJGwPfbRkics4a54TtI',
  );
  expect(signToken(KEY, record, '/3')).toBe(
    'AYkKXayWd0u8zrMCCZqAVwGJCl2slndLvM6zAgmagFjNMejEu0ZaOA8UnSTzgY0t',
  );
});
