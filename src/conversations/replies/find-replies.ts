import type { Reply } from '#core/endpoint/reply.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { View } from '#core/work.ts';
import { replySchema } from '../inbox/inbox.schema.ts';

const replyRecord = recordSchema(replySchema, 'r');

/** Returns all saved replies by name. */
export async function findReplies(view: View): Promise<Reply> {
  const rows = await view.wireRows(REPLIES, [view.subAccountId]);
  return { data: replyRecord.encodeAll(rows, 0) };
}

const REPLIES = `select ${replyRecord.members} from saved_replies r
  where r.sub_account_id = $1 order by lower(r.name), r.id`;
