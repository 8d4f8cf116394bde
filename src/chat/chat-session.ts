import { createHash, randomBytes } from 'node:crypto';
import { notFound } from '#core/fault.ts';
import { uuidFromBytes, uuidToBytes } from '#lib/id.ts';
import type { View } from '#core/work.ts';

/** A visitor's secret. It appears in no response to an API key, in no event and in no log. */
export interface SessionKey {
  readonly subAccountId: string;
  /** The stored hash of the secret. */
  readonly hash: Buffer;
}

const ID_BYTES = 16;
const SECRET_BYTES = 16;
const SESSION_ID = /^[\w-]{43}$/;

/** Returns a session id: the id of the sub-account and 128 random bits. */
export function newSessionId(subAccountId: string): string {
  const owner = uuidToBytes(subAccountId);
  return Buffer.concat([owner, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** Parses a session id, without checking that the session exists. Throws NOT_FOUND if malformed. */
export function sessionKey(sessionId: string): SessionKey {
  if (!SESSION_ID.test(sessionId)) {
    throw noSession();
  }
  return {
    subAccountId: uuidFromBytes(Buffer.from(sessionId, 'base64url').subarray(0, ID_BYTES)),
    hash: createHash('sha256').update(sessionId).digest(),
  };
}

/** Malformed, unknown and ended sessions must be indistinguishable. */
export const noSession = () => notFound('chat session');

/** Throws NOT_FOUND if the session is unknown or has ended, or its chat is disabled. */
export async function requireFollowable(
  view: View,
  { subAccountId, hash }: SessionKey,
): Promise<void> {
  const [session] = await view.rows(LIVE, [subAccountId, hash]);
  if (!session) {
    throw noSession();
  }
}

const LIVE = `select s.id
  from chat_sessions s
  join sub_accounts a on a.id = s.sub_account_id
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  join chat_settings c on c.sub_account_id = s.sub_account_id
  where s.sub_account_id = $1 and s.secret_hash = $2
    and a.deleted_at is null and v.deleted_at is null
    and coalesce((c.settings ->> 'enabled')::boolean, true)`;
