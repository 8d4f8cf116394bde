import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { insertFile, type StoredContent } from '../files/store-file.ts';
import { noSession, type SessionKey } from './chat-session.ts';

/** How many files a visitor can upload before sending them. */
export const WAITING_MAX = 10;

/** Inserts a file that the visitor uploaded. Throws RATE_LIMITED if too many wait for their message. */
export async function insertVisitorFile(
  work: Work,
  { subAccountId, hash }: SessionKey,
  file: StoredContent,
): Promise<void> {
  const [session] = await work.rows<Session>(SESSION, [subAccountId, hash]);
  if (!session) {
    throw noSession();
  }
  if (session.waiting >= WAITING_MAX) {
    const message = `${WAITING_MAX} uploaded files wait for a message; send them first`;
    throw new Fault('RATE_LIMITED', message, { reason: 'files_waiting' });
  }
  await insertFile(work, file, { sessionId: session.id });
}

interface Session {
  readonly id: string;
  readonly waiting: number;
}

/** The lock lets one of several simultaneous uploads count first. */
const SESSION = `select s.id, (
    select count(*)::int from files f
    where f.sub_account_id = $1 and f.session_id = s.id and f.message_id is null
  ) as waiting
  from chat_sessions s
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  where s.sub_account_id = $1 and s.secret_hash = $2 and v.deleted_at is null
  for no key update of s`;
