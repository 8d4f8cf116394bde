import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { filesOfMessage, type FileRecord } from '../../files/file.schema.ts';
import type { Attachment } from './insert-message.ts';
import type { MessageStatus } from './message.schema.ts';

/** A message that a sandbox keeps instead of sending it. */
export interface CapturedMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly channel: Channel;
  readonly fromAddress: string | null;
  readonly toAddress: string | null;
  readonly subject: string | null;
  readonly bodyText: string | null;
  readonly bodyHtml: string | null;
  readonly status: MessageStatus;
  /** The calendar file of a confirmation. */
  readonly attachment: Attachment | null;
  /** Uploaded files. */
  readonly attachments: readonly FileRecord[];
  readonly createdAt: string;
}

/** Returns the newest captured messages of a sandbox, or the one with this id; none for another sub-account. */
export const findCaptured = (
  view: View,
  { limit, id }: { readonly limit: number; readonly id?: string },
): Promise<CapturedMessage[]> => view.rows(CAPTURED, [view.subAccountId, limit, id ?? null]);

const CAPTURED = `select m.id, m.conversation_id as "conversationId", m.channel,
    m.from_address as "fromAddress", m.to_address as "toAddress", m.subject, m.body_text as "bodyText", m.body_html as "bodyHtml",
    m.status, m.attachment, ${filesOfMessage('$1')} as attachments, ${isoText('m.created_at')} as "createdAt"
  from sub_accounts a join messages m on m.sub_account_id = a.id
  where a.id = $1 and a.sandbox and m.direction = 'outbound' and not m.is_internal
    and ($3::uuid is null or m.id = $3)
  order by m.id desc limit $2`;
