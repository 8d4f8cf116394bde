import type { Reply } from '#core/endpoint/reply.ts';
import { json } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { View } from '#core/work.ts';
import { replySchema } from '../inbox/inbox.schema.ts';

const replyRecord = recordSchema(replySchema, 'r');

/** Returns all saved replies by name. */
export async function findReplies(view: View): Promise<Reply> {
  const rows = await view.texts(REPLIES, [view.subAccountId]);
  return { data: json(`[${rows.map((row) => replyRecord.encode(row, 0)).join(',')}]`) };
}

const REPLIES = `select ${replyRecord.members} from saved_replies r
  where r.sub_account_id = $1 order by lower(r.name), r.id`;
