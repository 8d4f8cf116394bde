import { notFound } from '#core/fault.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { recordSchema } from '#core/schema/record.ts';
import { textOf } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import { estimateSchema } from './estimate.schema.ts';

const ESTIMATES_MAX = 5;
const HOURS = 24;

/**
 * Returns the quotes of a contact in a current conversation, approved ones first, then the newest.
 * Throws the same `NOT_FOUND` for an unknown, foreign or deleted contact and for one without a message
 * in a live conversation for 24 hours (spec "Limits", contract 7). Notes, automatic messages, widget chats
 * and mails with a sender that is probably forged do not count: the contact may know nothing of them.
 */
export async function findEstimates(view: View, contactId: string): Promise<Reply> {
  const rows = await view.wireRows(ESTIMATES, [view.subAccountId, contactId, view.now]);
  if (rows.length === 0) {
    throw notFound('contact');
  }
  const estimates = rows.filter((row) => textOf(row, 0) !== null);
  const data = estimateRecord.encodeAll(estimates, 0);
  return { data, meta: { total: estimates.length } };
}

/** Expired estimates are never returned. */
const estimateRecord = recordSchema(estimateSchema, 'e', { isExpired: 'false' });

const ESTIMATES = `select ${estimateRecord.members}
  from (
    select c.id from contacts c
    where c.sub_account_id = $1 and c.id = $2 and c.deleted_at is null and exists (
      select from conversations v
      join messages m on m.sub_account_id = $1 and m.conversation_id = v.id
      where v.sub_account_id = $1 and v.contact_id = c.id and v.deleted_at is null
        and v.status in ('open', 'snoozed') and not (m.is_internal or m.is_automatic or m.is_unproven)
        and not (v.channel = 'live_chat' and exists (
          select from chat_sessions s
          where s.sub_account_id = $1 and s.conversation_id = v.id
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
