import { createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import { uuidFromBytes, uuidToBytes } from '#lib/id.ts';
import { keyValueOf, type KeyKind, type KeyValue } from '../keys/key-value.ts';
import { tokenHashOf } from '../sign-in/secret-token.ts';

/** A code works once, for a minute; a refresh token gets the next access token. */
export type GrantTokenKind = 'code' | 'refresh';

const PREFIXES: Readonly<Record<GrantTokenKind, string>> = { code: 'fdc_', refresh: 'fdr_' };

const ID_BYTES = 16;
const SECRET_BYTES = 32;
/** 48 bytes in base64url. */
const BODY = /^[\w-]{64}$/;

/** A token of a grant, and the hash that is stored instead of it. */
export interface GrantToken {
  readonly token: string;
  readonly tokenHash: string;
}

/** Returns a token that names its sub-account and has 256 bits of secret. */
export function grantToken(
  kind: GrantTokenKind,
  subAccountId: string,
  secret: Buffer = randomBytes(SECRET_BYTES),
): GrantToken {
  const body = Buffer.concat([uuidToBytes(subAccountId), secret]).toString('base64url');
  const token = PREFIXES[kind] + body;
  return { token, tokenHash: tokenHashOf(token) };
}

/** Returns the sub-account and hash of a token; undefined if it is malformed. */
export function readGrantToken(
  kind: GrantTokenKind,
  token: string,
): { readonly subAccountId: string; readonly tokenHash: string } | undefined {
  const body = token.slice(PREFIXES[kind].length);
  if (!token.startsWith(PREFIXES[kind]) || !BODY.test(body)) {
    return undefined;
  }
  const bytes = Buffer.from(body, 'base64url');
  return {
    subAccountId: uuidFromBytes(bytes.subarray(0, ID_BYTES)),
    tokenHash: tokenHashOf(token),
  };
}

/** A token has 256 bits of randomness, so an unsalted hash is enough. */

export const newSeed = (): string => randomBytes(SECRET_BYTES).toString('base64url');

interface Successors {
  readonly access: KeyValue;
  readonly refresh: GrantToken;
}

interface UsedToken {
  readonly subAccountId: string;
  readonly kind: KeyKind;
  readonly token: string;
  readonly seed: string;
}

/**
 * Returns the tokens that follow a used refresh token: always the same for the same seed, so that a
 * client that lost the response gets it again. They follow only from token, seed and secret key together.
 */
export function successorsOf(secrets: Secrets, used: UsedToken): Successors {
  const { subAccountId, kind, token, seed } = used;
  const derived = (name: string): Buffer =>
    createHmac('sha256', secrets.derive('oauth-refresh'))
      .update(`${name}\n${seed}\n${token}`)
      .digest();
  return {
    access: keyValueOf(kind, derived('access')),
    refresh: grantToken('refresh', subAccountId, derived('refresh')),
  };
}
