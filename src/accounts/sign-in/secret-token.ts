import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A token for a link or a cookie, and the hash that is stored instead of it. */
export interface SecretToken {
  readonly token: string;
  readonly tokenHash: string;
}

export function newSecretToken(): SecretToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: tokenHashOf(token) };
}

/** A token has 256 bits of randomness, so an unsalted hash is enough. */
export const tokenHashOf = (token: string): string => hash('sha256', token, 'base64url');
