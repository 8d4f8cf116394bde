import type { Work } from '#core/work.ts';
import type { InboundMessage } from '../inbound/callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { namedMessage } from '../mailbox/message-id.ts';

/**
 * The thread of the contact that his message answers: by the address it went to, else by the
 * messages it names. Threads of others do not count, however well somebody knows what to name: he
 * may have been sent the mail on, or a copy of it.
 */
export async function answeredThread(
  work: Work,
  contactId: string,
  channel: Channel,
  { references = [], threadToken }: InboundMessage,
): Promise<string | null> {
  if (references.length === 0 && threadToken === undefined) {
    return null;
  }
  const ids = references.flatMap((name) => namedMessage(name) ?? []);
  const values = [work.subAccountId, contactId, channel, threadToken ?? null, ids, references];
  const [thread] = await work.rows<{ id: string }>(ANSWERED, values);
  return thread?.id ?? null;
}

/** Our own messages are known by their ids also before the provider's answer is stored. */
const ANSWERED = `select v.id
  from (
    select id, conversation_id from messages
    where sub_account_id = $1 and (id = $4::uuid or id = any($5::uuid[]))
    union
    select id, conversation_id from messages
    where sub_account_id = $1 and channel = $3 and external_id = any($6::text[])
  ) as m
  join conversations v on v.sub_account_id = $1 and v.id = m.conversation_id
  where v.contact_id = $2 and v.channel = $3 and v.deleted_at is null
  order by m.id is not distinct from $4::uuid desc, m.id desc limit 1`;
