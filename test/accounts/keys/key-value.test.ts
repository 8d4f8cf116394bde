import { assert, constantFrom, nat, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hashOf,
  isWellFormed,
  KEY_PREFIXES,
  newKeyValue,
  type KeyKind,
} from '../../../src/accounts/keys/key-value.ts';

const KINDS = Object.keys(KEY_PREFIXES) as KeyKind[];
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

describe('a new key', () => {
  test.for([
    ['live', 'sk_live_'],
    ['test', 'sk_test_'],
    ['agency_live', 'sk_agency_live_'],
    ['agency_test', 'sk_agency_test_'],
  ] as const)(
    'of kind %s begins with %s, then 40 random characters and 6 of checksum',
    ([kind, prefix]) => {
      const { key } = newKeyValue(kind);
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{46}$`));
      expect(isWellFormed(key)).toBe(true);
    },
  );

  test('is recognised by its kind and first four characters', () => {
    for (const kind of KINDS) {
      const { key, prefix } = newKeyValue(kind);
      expect(prefix).toBe(key.slice(0, KEY_PREFIXES[kind].length + 4));
    }
  });

  test('is stored as a hash that does not contain it', () => {
    const { key, hash } = newKeyValue('live');
    expect(hash).toBe(hashOf(key));
    expect(hash).not.toContain(key.slice(8, 20));
  });

  test('is unique and uses every character', () => {
    const keys = Array.from({ length: 500 }, () => newKeyValue('live').key);
    expect(new Set(keys).size).toBe(500);
    const used = new Set(keys.flatMap((key) => key.slice('sk_live_'.length, -6).split('')));
    expect([...used].sort()).toEqual(BASE62.toSorted());
  });
});

describe('a key is well formed only if', () => {
  test('no character of it was changed', () => {
    assert(
      property(
        constantFrom(...KINDS),
        nat(200),
        constantFrom(...BASE62, '_', ' ', 'ä'),
        (kind, place, character) => {
          const { key } = newKeyValue(kind);
          const at = place % key.length;
          const altered = key.slice(0, at) + character + key.slice(at + 1);
          expect(isWellFormed(altered)).toBe(altered === key);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('no two neighbours were swapped', () => {
    assert(
      property(constantFrom(...KINDS), nat(200), (kind, place) => {
        const { key } = newKeyValue(kind);
        const at = place % (key.length - 1);
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        expect(isWellFormed(swapped)).toBe(swapped === key);
      }),
    );
  });

  test('nothing was cut off or added', () => {
    const { key } = newKeyValue('agency_test');
    const others = ['', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`];
    expect(others.filter(isWellFormed)).toEqual([]);
  });

  test('it does not claim another kind', () => {
    const { key } = newKeyValue('test');
    expect(isWellFormed(key.replace('sk_test_', 'sk_live_'))).toBe(false);
    expect(isWellFormed(key.replace('sk_test_', 'sk_agency_test_'))).toBe(false);
  });
});
