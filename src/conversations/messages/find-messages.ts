import type { Static } from 'typebox';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { notFound } from '#core/fault.ts';
import { recordSchema } from '#core/schema/record.ts';
import { pageWithTotal, readPage } from '#platform/database/pages.ts';
import * as s from '#core/schema/schema.ts';
import type { PointRead, View } from '#core/work.ts';
import { filesOfMessage } from '../../files/file.schema.ts';
import { messageSchema } from './message.schema.ts';

/**
 * Message `m` of sub-account `$1` as every endpoint shows it. Citus sends a query to a single node only
 * if every table names the sub-account.
 */
const messageRecord = recordSchema(messageSchema, 'm', { attachments: filesOfMessage('$1') });

/** The same for a message that is being written, which has no files yet. */
export const newMessageRecord = recordSchema(messageSchema, 'm', { attachments: `'[]'` });

/** Returns one message, as endpoints show it once the change is written. */
export const theMessage = (id: string) => (view: View) => view.point(POINT, id);

const POINT: PointRead = {
  text: `select m.id, ${messageRecord.members} from messages m
    where m.sub_account_id = $1 and m.id = any($2::uuid[])`,
  record: messageRecord,
};

export const messageQuery = s.request(pageQuery);

/**
 * Returns the messages of a conversation, newest first, in one statement that also finds the
 * conversation. Throws NOT_FOUND if there is no such conversation.
 */
export async function findMessages(
  view: View,
  conversationId: string,
  query: Static<typeof messageQuery>,
  after: string | undefined,
): Promise<Reply> {
  const size = pageSize(query);
  const older = after === undefined ? '' : 'and m.id < $3::uuid';
  const records = `select ${messageRecord.members} from messages m
    where m.sub_account_id = $1 and m.conversation_id = $2 ${older}
    order by m.id desc limit ${size + 1}`;
  const values = [view.subAccountId, conversationId, ...(after === undefined ? [] : [after])];
  const found = await view.wirePage(pageWithTotal(LIVE, records), values, size);
  const { data, total, next } = await readPage(view, messageRecord, found);
  if (total === 0) {
    throw notFound('conversation');
  }
  return { data, next };
}

const LIVE = `select count(*) from conversations
  where sub_account_id = $1 and id = $2 and deleted_at is null`;
