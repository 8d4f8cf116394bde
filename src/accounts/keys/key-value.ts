import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefixes of the four kinds of keys (spec "API keys"). */
export const KEY_PREFIXES = {
  live: 'sk_live_',
  test: 'sk_test_',
  agency_live: 'sk_agency_live_',
  agency_test: 'sk_agency_test_',
} as const;

export type KeyKind = keyof typeof KEY_PREFIXES;

const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 4;
const FORM = /^sk_(?:agency_)?(?:live|test)_[\dA-Za-z]{46}$/;

export interface KeyValue {
  /** The key itself: shown once, never stored. */
  readonly key: string;
  /** The kind and the first four random characters, for lists and logs. */
  readonly prefix: string;
  readonly hash: string;
}

export function newKeyValue(kind: KeyKind): KeyValue {
  const body = KEY_PREFIXES[kind] + randomBase62(RANDOM_LENGTH);
  const key = body + checksumOf(body);
  return {
    key,
    prefix: body.slice(0, KEY_PREFIXES[kind].length + SHOWN_LENGTH),
    hash: hashOf(key),
  };
}

/** Returns whether the checksum is right: rejects typing errors and guesses without the database. */
export function isWellFormed(key: string): boolean {
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return FORM.test(key) && key.slice(-CHECKSUM_LENGTH) === checksumOf(body);
}

/** A key has 238 bits of randomness, so an unsalted hash is enough. */
export const hashOf = (key: string): string => hash('sha256', key, 'base64url');

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = BASE62[rest % BASE62.length] + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random characters of 5.95 bits each, from the system's random source. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
