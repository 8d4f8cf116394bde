import { createHash, randomBytes } from 'node:crypto';
import { notFound } from '#core/fault.ts';
import { uuidFromBytes, uuidToBytes } from '#lib/id.ts';

/** What a visitor holds. It stands in no answer to a key, in no event and in no log. */
export interface SessionKey {
  readonly subAccountId: string;
  /** What is kept of the secret. */
  readonly hash: Buffer;
}

const ID_BYTES = 16;
const SECRET_BYTES = 16;
const SESSION_ID = /^[\w-]{43}$/;

/** The sub-account, so that a session is found among its own, and 128 random bits. */
export function newSessionId(subAccountId: string): string {
  const owner = uuidToBytes(subAccountId);
  return Buffer.concat([owner, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** Says nothing of whether there is such a session. Throws NOT_FOUND for what can be none. */
export function sessionKey(sessionId: string): SessionKey {
  if (!SESSION_ID.test(sessionId)) {
    throw noSession();
  }
  return {
    subAccountId: uuidFromBytes(Buffer.from(sessionId, 'base64url').subarray(0, ID_BYTES)),
    hash: createHash('sha256').update(sessionId).digest(),
  };
}

/** Malformed, unknown, and ended are alike. */
export const noSession = () => notFound('chat session');
