import { recordSchema } from '#core/schema/record.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import type { View, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { draftSchema, type DraftBody } from './inbox.schema.ts';

/** The draft of one user in one conversation. */
interface DraftKey {
  readonly conversationId: string;
  readonly userId: string;
}

/** Replies keep the subject of the latest mail; a "Re:" at its beginning is not repeated. */
const REPLY_SUBJECT = `(select case when m.subject ~* '^re:' then m.subject else 'Re: ' || m.subject end
  from messages m
  where m.sub_account_id = $1 and m.conversation_id = v.id
    and not m.is_internal and nullif(m.subject, '') is not null
  order by m.id desc limit 1)`;

/** What an unknown conversation returns. */
const NONE = {
  bodyText: '',
  subject: null,
  isInternal: false,
  updatedAt: null,
  replySubject: null,
};

/** A conversation without a draft has an empty one. */
const draftRecord = recordSchema(draftSchema, 'd', {
  bodyText: `coalesce(d.body_text, '')`,
  isInternal: 'coalesce(d.is_internal, false)',
  replySubject: REPLY_SUBJECT,
});

/** Returns the draft of a user; an empty one if there is none. */
export async function findDraft(view: View, { conversationId, userId }: DraftKey): Promise<Reply> {
  const [row] = await view.wireRows(FIND, [view.subAccountId, conversationId, userId]);
  return { data: row ? draftRecord.encode(row, 0) : NONE };
}

const FIND = `select ${draftRecord.members} from conversations v
  left join drafts d on d.sub_account_id = $1 and d.conversation_id = v.id
    and d.user_id = $3
  where v.sub_account_id = $1 and v.id = $2`;

/** Keeps a user's text; empty text removes the draft. It is not audited: it is saved while typing. */
export function saveDraft(
  work: Work,
  { conversationId, userId }: DraftKey,
  { bodyText, subject = null, isInternal = false }: DraftBody,
): void {
  const { subAccountId, now } = work;
  if (bodyText === '' && subject === null) {
    work.write(REMOVE, [subAccountId, conversationId, userId]);
    return;
  }
  const key = [subAccountId, newId(now), conversationId, userId];
  work.write(SAVE, [...key, bodyText, subject, isInternal, now]);
}

const REMOVE = `delete from drafts
  where sub_account_id = $1 and conversation_id = $2 and user_id = $3`;

const SAVE = `insert into drafts
    (sub_account_id, id, conversation_id, user_id, body_text, subject, is_internal, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (sub_account_id, conversation_id, user_id) do update
    set body_text = excluded.body_text, subject = excluded.subject,
      is_internal = excluded.is_internal, updated_at = excluded.updated_at`;
