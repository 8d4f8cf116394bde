import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { insertFile, type StoredContent } from '../files/store-file.ts';
import { evictWaiting } from '../files/waiting-files.ts';
import { noSession, type SessionKey } from './chat-session.ts';

/** How many files a visitor can upload before sending them. */
export const WAITING_MAX = 10;

/** Inserts a file that the visitor uploaded. Throws RATE_LIMITED if too many wait for their message. */
export async function insertVisitorFile(
  work: Work,
  key: SessionKey,
  file: StoredContent,
): Promise<void> {
  const sessionId = await assertMayUpload(work, key, LOCK);
  await evictWaiting(work, file.size);
  await insertFile(work, file, { sessionId });
}

/**
 * Returns the id of the session. Throws RATE_LIMITED if too many of its files wait: also before a content
 * is stored, which would stay for an hour.
 */
export async function assertMayUpload(
  view: Pick<View, 'rows'>,
  { subAccountId, hash }: SessionKey,
  lock = '',
): Promise<string> {
  const [session] = await view.rows<Session>(SESSION + lock, [subAccountId, hash]);
  if (!session) {
    throw noSession();
  }
  if (session.waiting >= WAITING_MAX) {
    const message = `${WAITING_MAX} uploaded files wait for a message; send them first`;
    throw new Fault('RATE_LIMITED', message, { reason: 'files_waiting' });
  }
  return session.id;
}

interface Session {
  readonly id: string;
  readonly waiting: number;
}

const SESSION = `select s.id, (
    select count(*)::int from files f
    where f.sub_account_id = $1 and f.session_id = s.id and f.message_id is null
  ) as waiting
  from chat_sessions s
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  where s.sub_account_id = $1 and s.secret_hash = $2 and v.deleted_at is null`;

/** Lets one of several simultaneous uploads count first. */
const LOCK = ' for no key update of s';
