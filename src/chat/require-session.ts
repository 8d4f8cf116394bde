import type { View } from '#core/work.ts';
import { noSession, type SessionKey } from './session-id.ts';

/** Throws NOT_FOUND where the session is unknown or has ended, or its chat is disabled. */
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
