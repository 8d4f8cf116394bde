import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';

/**
 * SQL: conversation `v` is a chat of the widget. Its visitor is identified only by what they typed, which
 * may be the email address of another person.
 */
const IS_OF_WIDGET = `exists (
    select from chat_sessions s
    where s.sub_account_id = v.sub_account_id and s.conversation_id = v.id
  )`;

/** `visitorVerified` of conversation `v`: null on channels other than live_chat. */
export const VISITOR_VERIFIED = `case when v.channel = 'live_chat' then not ${IS_OF_WIDGET} end`;

/** Returns `visitorVerified` for the conversation of a message. */
export async function visitorVerified(
  work: Work,
  channel: Channel,
  conversationId: string,
): Promise<boolean | null> {
  if (channel !== 'live_chat') {
    return null;
  }
  const found = await work.rows<{ isVerified: boolean }>(VERIFIED, [
    work.subAccountId,
    conversationId,
  ]);
  return found[0]?.isVerified ?? true;
}

const VERIFIED = `select ${VISITOR_VERIFIED} as "isVerified" from conversations v
  where v.sub_account_id = $1 and v.id = $2`;
