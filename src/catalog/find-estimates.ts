import { notFound } from '#core/fault.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { json } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { View } from '#core/work.ts';
import { estimateSchema } from './estimate.schema.ts';

const ESTIMATES_MAX = 5;
const HOURS = 24;

/**
 * Quotes of the contact that a conversation is with, approved ones first, then the newest. Throws the
 * same NOT_FOUND for a contact who is unknown, foreign or deleted, who has no live conversation, and
 * with whom nothing was exchanged in one for 24 hours (spec "Limits", contract 7). A chat of the widget
 * is no such conversation: its visitor may have typed the email address of another person.
 */
export async function findEstimates(view: View, contactId: string): Promise<Reply> {
  const rows = await view.texts(ESTIMATES, [view.subAccountId, contactId, view.now]);
  if (rows.length === 0) {
    throw notFound('contact');
  }
  const found = rows.filter(([id]) => id !== null);
  const data = json(`[${found.map((row) => estimateRecord.encode(row, 0)).join(',')}]`);
  return { data, meta: { total: found.length } };
}

/** An estimate that is shown is none that has expired. */
const estimateRecord = recordSchema(estimateSchema, 'e', { isExpired: 'false' });

const ESTIMATES = `select ${estimateRecord.members}
  from (
    select c.id from contacts c
    where c.sub_account_id = $1 and c.id = $2 and c.deleted_at is null and exists (
      select from conversations v
      join messages m on m.sub_account_id = v.sub_account_id and m.conversation_id = v.id
      where v.sub_account_id = $1 and v.contact_id = c.id and v.deleted_at is null
        and v.status in ('open', 'snoozed') and not m.is_internal
        and not (v.channel = 'live_chat' and exists (
          select from chat_sessions s
          where s.sub_account_id = v.sub_account_id and s.conversation_id = v.id
        ))
        and m.created_at > $3::timestamptz - interval '${HOURS} hours'
    )
  ) as known
  left join lateral (
    select * from estimates x
    where x.sub_account_id = $1 and x.contact_id = known.id and x.status in ('sent', 'approved')
      and (x.valid_until is null or x.valid_until > $3)
    order by x.is_approved desc, x.id desc limit ${ESTIMATES_MAX}
  ) as e on true
  order by e.is_approved desc, e.id desc`;
