import type { Static } from 'typebox';
import { pageQuery, pageSize, type Reply } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import { pageWithTotal, readPage, recordShape } from '#kit/record.ts';
import * as s from '#kit/schema.ts';
import type { View } from '#kit/work.ts';
import { messageShape } from './message.shape.ts';

/** Message `m` as every endpoint shows it. */
export const messageRecord = recordShape(messageShape, 'm');

export const messageQuery = s.strict(pageQuery);

/** The messages of a conversation, newest first, in one statement that tells whether it is there. */
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
  const rows = await view.texts(pageWithTotal(LIVE, records), values);
  const page = readPage(messageRecord, rows, size);
  if (page.total === 0) {
    throw notFound('conversation');
  }
  return { data: page.data, next: page.next };
}

const LIVE = `select count(*) from conversations
  where sub_account_id = $1 and id = $2 and deleted_at is null`;
