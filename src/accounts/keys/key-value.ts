import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefixes of the kinds of keys (spec "API keys"), and of access tokens of OAuth grants. */
export const KEY_PREFIXES = {
  live: 'sk_live_',
  test: 'sk_test_',
  agency_live: 'sk_agency_live_',
  agency_test: 'sk_agency_test_',
  oauth_live: 'sk_oauth_live_',
  oauth_test: 'sk_oauth_test_',
} as const;

export type KeyKind = keyof typeof KEY_PREFIXES;

/** The kinds of keys that reach sandbox sub-accounts only. */
const SANDBOX_KINDS: ReadonlySet<KeyKind> = new Set(['test', 'agency_test', 'oauth_test']);

export const isSandboxKind = (kind: KeyKind): boolean => SANDBOX_KINDS.has(kind);

/** Returns whether a program got the key from a user with OAuth. */
export const isGrantKind = (kind: KeyKind): boolean =>
  kind === 'oauth_live' || kind === 'oauth_test';

const RANDOM_LENGTH = 40;
/** 256 bits in base62. */
const TOKEN_BYTES = 32;
const TOKEN_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 4;
const FORM = /^sk_(?:(?:agency_)?(?:live|test)_[\dA-Za-z]{46}|oauth_(?:live|test)_[\dA-Za-z]{49})$/;

export interface KeyValue {
  /** The key itself: shown once, never stored. */
  readonly key: string;
  /** The kind and the first four random characters, for lists and logs. */
  readonly prefix: string;
  readonly hash: string;
}

export const newKeyValue = (kind: KeyKind): KeyValue =>
  isGrantKind(kind)
    ? keyValueOf(kind, randomBytes(TOKEN_BYTES))
    : valueOf(kind, randomBase62(RANDOM_LENGTH));

/** Returns the access token of a grant that stands for 32 bytes. */
export const keyValueOf = (kind: KeyKind, secret: Buffer): KeyValue =>
  valueOf(kind, base62Of(secret));

function valueOf(kind: KeyKind, random: string): KeyValue {
  const body = KEY_PREFIXES[kind] + random;
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

/** A key has at least 238 bits of randomness, so an unsalted hash is enough. */
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

function base62Of(bytes: Buffer): string {
  const base = BigInt(BASE62.length);
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (text.length < TOKEN_LENGTH) {
    text = BASE62[Number(rest % base)] + text;
    rest /= base;
  }
  return text;
}

/** Returns random characters of 5.95 bits each, from the system's random source. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
