import { Type, type Static } from 'typebox';
import { pageQuery, pageSize, type Reply } from '#kit/endpoint.ts';
import { pageWithTotal, readPage } from '#kit/record.ts';
import * as s from '#kit/schema.ts';
import type { View } from '#kit/work.ts';
import { channel, CONVERSATION_STATUSES } from './conversation.shape.ts';
import { conversationRecord } from './read-conversation.ts';

export const conversationQuery = s.strict({
  ...pageQuery,
  status: Type.Optional(s.oneOf(CONVERSATION_STATUSES)),
  channel: Type.Optional(channel),
  contactId: Type.Optional(s.uuid()),
  assignedTo: Type.Optional(s.uuid()),
});
type ConversationQuery = Static<typeof conversationQuery>;

/** Newest first by creation. Without filters `total` is the sum of a few tallies. */
export async function findConversations(
  view: View,
  query: ConversationQuery,
  after: string | undefined,
): Promise<Reply> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = filtersOf(query, bind);
  const condition = [LIVE, ...filters].join(' and ');
  const total =
    filters.length === 0 ? TALLY : `select count(*) from conversations v where ${condition}`;
  const size = pageSize(query);
  const older = after === undefined ? '' : `and v.id < ${bind(after)}::uuid`;
  const records = `select ${conversationRecord.members} from conversations v
    where ${condition} ${older} order by v.id desc limit ${size + 1}`;
  const rows = await view.texts(pageWithTotal(total, records), values);
  const page = readPage(conversationRecord, rows, size);
  return { data: page.data, meta: { total: page.total }, next: page.next };
}

function filtersOf(query: ConversationQuery, bind: (value: unknown) => string): string[] {
  const { status, channel: wanted, contactId, assignedTo } = query;
  const filters: (string | false)[] = [
    status !== undefined && `v.status = ${bind(status)}`,
    wanted !== undefined && `v.channel = ${bind(wanted)}`,
    contactId !== undefined && `v.contact_id = ${bind(contactId)}::uuid`,
    assignedTo !== undefined && `v.assigned_to = ${bind(assignedTo)}::uuid`,
  ];
  return filters.filter((filter) => filter !== false);
}

const LIVE = 'v.sub_account_id = $1 and v.deleted_at is null';

const TALLY = `select coalesce(sum(difference), 0)::int8 from tallies
  where sub_account_id = $1 and noun = 'conversations'`;
