import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
import { queryBuilder, queryRows } from '#platform/database/query-builder.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { ConversationTable } from '../threads/conversation.entity.ts';
import type { MessageTable } from './message.entity.ts';
import type { MessageStatus } from './message.schema.ts';

export interface ListedMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly channel: Channel;
  readonly direction: 'inbound' | 'outbound';
  readonly isInternal: boolean;
  readonly status: MessageStatus;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
  readonly subject: string | null;
  /** The first 1,000 characters. */
  readonly bodyText: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: string;
}

interface ListMessagesInput {
  readonly conversationId?: string | undefined;
  readonly contactId?: string | undefined;
  /** Only those of the last seven days that failed or bounced, without those that were sent again: no index has them all. */
  readonly failed?: boolean | undefined;
  readonly limit: number;
}

const TEXT_MAX = 1_000;
const FAILED_WITHIN_MS = 7 * DAY_MS;

/** Returns the newest messages of live conversations; bodies are cut, for a mail may have a million characters. */
export async function listMessages(
  view: View,
  { conversationId, contactId, failed = false, limit }: ListMessagesInput,
): Promise<ListedMessage[]> {
  const { db, sql } = await queryBuilder<typeof MessageTable | typeof ConversationTable>();
  let messages = db
    .selectFrom('messages as m')
    .innerJoin('conversations as v', (join) =>
      join
        .onRef('v.sub_account_id', '=', 'm.sub_account_id')
        .onRef('v.id', '=', 'm.conversation_id'),
    )
    .select(['m.id', 'm.conversation_id as conversationId', 'm.channel', 'm.direction'])
    .select(['m.is_internal as isInternal', 'm.status', 'm.from_address as fromAddress'])
    .select(['m.to_address as toAddress', 'm.subject', 'm.error_code as errorCode'])
    .select(['m.error_message as errorMessage'])
    .select([
      sql<string | null>`left(m.body_text, ${sql.lit(TEXT_MAX)})`.as('bodyText'),
      sql.raw<string>(isoText('m.created_at')).as('createdAt'),
    ])
    .where('m.sub_account_id', '=', view.subAccountId)
    .where('v.deleted_at', 'is', null);
  if (conversationId !== undefined) {
    messages = messages.where('m.conversation_id', '=', conversationId);
  }
  if (contactId !== undefined) {
    messages = messages.where('v.contact_id', '=', contactId);
  }
  if (failed) {
    messages = messages
      .where('m.status', 'in', ['failed', 'bounced'])
      .where('m.direction', '=', 'outbound')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('messages as k')
              .select('k.id')
              .whereRef('k.sub_account_id', '=', 'm.sub_account_id')
              .whereRef('k.resend_of', '=', 'm.id'),
          ),
        ),
      )
      .where('m.id', '>=', firstIdAt(new Date(view.now.getTime() - FAILED_WITHIN_MS)));
  }
  return queryRows<ListedMessage>(view, messages.orderBy('m.id', 'desc').limit(limit));
}
