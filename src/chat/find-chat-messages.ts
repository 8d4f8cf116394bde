import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { pictureUrl } from '../accounts/users/pictures.ts';
import type { ChatFile, ChatMessage } from './chat.schema.ts';
import { noSession, type SessionKey } from './chat-session.ts';

const PAGE_SIZE = 100;

/** How far a reader has read. */
export interface ReadPosition {
  /** The last message that the reader has. */
  readonly after: string | undefined;
  /** If the chat has no such message, the reader counts as having read everything, or nothing. */
  readonly unknownIs: 'last' | 'first';
}

export interface ChatPage {
  readonly conversationId: string;
  readonly messages: readonly ChatMessage[];
  readonly hasMore: boolean;
}

/**
 * Returns messages of a chat, oldest first, in one statement that also finds the session. Internal notes
 * and inbound messages of providers are left out: this visitor did not write them.
 */
export async function findChatMessages(
  { rows }: View,
  { subAccountId, hash }: SessionKey,
  { after, unknownIs }: ReadPosition,
  linkOf: LinkOfFile,
): Promise<ChatPage> {
  const unknown = unknownIs === 'first' ? '0' : POSITION_MAX;
  const found = await rows<ChatMessageRow>(PAGE, [subAccountId, hash, after ?? null, unknown]);
  const [first] = found;
  if (!first) {
    throw noSession();
  }
  const said = found.flatMap((row) => messageIn(row, linkOf));
  return {
    conversationId: first.conversationId,
    messages: said.slice(0, PAGE_SIZE),
    hasMore: said.length > PAGE_SIZE,
  };
}

const POSITION_MAX = '9223372036854775807';

/** A chat without messages has one row without an id. */
interface ChatMessageRow extends Omit<ChatMessage, 'id' | 'attachments' | 'senderPictureUrl'> {
  readonly pictureId: string | null;
  readonly files: readonly Omit<ChatFile, 'url'>[] | null;
  readonly conversationId: string;
  readonly id: string | null;
}

/** Returns the path of a file for the visitor. */
export type LinkOfFile = (id: string) => string;

function messageIn(row: ChatMessageRow, linkOf: LinkOfFile): ChatMessage[] {
  const { id, direction, bodyText, senderName, createdAt } = row;
  const senderPictureUrl = pictureUrl(row.pictureId);
  const attachments = (row.files ?? []).map((file) => ({ ...file, url: linkOf(file.id) }));
  const shown = { direction, bodyText, senderName, senderPictureUrl, createdAt, attachments };
  return id === null ? [] : [{ id, ...shown }];
}

const PAGE = `select v.id as "conversationId", m.id, m.direction, m."bodyText", m.files,
    m."pictureId",
    case m.direction when 'inbound' then s.visitor_name
      else coalesce(m.author_name, a.brand, a.name) end as "senderName", m."createdAt"
  from chat_sessions s
  join sub_accounts a on a.id = s.sub_account_id
  join conversations v on v.sub_account_id = s.sub_account_id and v.id = s.conversation_id
  left join lateral (
    select m.id, m.direction, m.author_name, coalesce(m.body_text, '') as "bodyText",
      ${isoText('m.created_at')} as "createdAt", m.chat_position, (
        select json_agg(json_build_object(
          'id', f.id, 'name', f.name, 'type', f.type, 'size', f.size) order by f.position)
        from files f
        where f.sub_account_id = $1 and f.message_id = m.id and f.state = 'stored'
      ) as files, (
        select p.id from user_pictures p where p.user_id = m.author_id
      ) as "pictureId"
    from messages m
    where m.sub_account_id = $1 and m.conversation_id = v.id
      and m.chat_position > case when $3::uuid is null then 0 else coalesce((
        select k.chat_position from messages k
        where k.sub_account_id = $1 and k.id = $3::uuid and k.conversation_id = v.id
      ), $4::bigint) end
      and not m.is_internal and (m.direction = 'outbound' or m.external_id is null)
    order by m.chat_position limit ${PAGE_SIZE + 1}
  ) m on true
  where s.sub_account_id = $1 and s.secret_hash = $2
    and a.deleted_at is null and v.deleted_at is null
  order by m.chat_position`;
