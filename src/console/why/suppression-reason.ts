import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import { isSuppressed } from '../../contacts/consent/suppressions.ts';
import { textFor, type WhyLanguage } from './language.ts';
import type { Reason } from './why.ts';

interface SuppressionRow {
  readonly dnd: DoNotDisturb;
  readonly changedAt: string;
  readonly deletedAt: string | null;
  readonly optOutId: string | null;
  readonly optOutReason: string | null;
  readonly optedOutAt: string | null;
}

/** Returns what keeps a contact from getting messages by a channel now, or undefined. */
export async function suppressionReason(
  view: View,
  contactId: string,
  channel: Channel,
  { messages: { channels, contact } }: WhyLanguage,
): Promise<Reason | undefined> {
  const [row] = await view.rows<SuppressionRow>(FIND, [view.subAccountId, contactId, channel]);
  const record = { type: 'contact', id: contactId };
  if (!row || row.deletedAt !== null) {
    const at = row?.deletedAt ?? null;
    return { rule: 'contact_deleted', sentence: contact.deleted, record, at };
  }
  if (row.optOutId !== null) {
    return {
      rule: 'opted_out',
      sentence: contact.optedOut(
        channels[channel],
        textFor(contact.optOutReasons, row.optOutReason ?? ''),
      ),
      record: { type: 'opt_out', id: row.optOutId },
      at: row.optedOutAt,
    };
  }
  return isSuppressed({ channel, dnd: row.dnd, isOptedOut: false })
    ? {
        rule: 'do_not_disturb',
        sentence: row.dnd['all']
          ? contact.doNotDisturbAll
          : contact.doNotDisturb(channels[channel]),
        record,
        at: row.changedAt,
      }
    : undefined;
}

const FIND = `select c.dnd, ${isoText('c.updated_at')} as "changedAt",
    ${isoText('c.deleted_at')} as "deletedAt", o.id as "optOutId", o.reason as "optOutReason",
    ${isoText('o.created_at')} as "optedOutAt"
  from contacts c
  left join lateral (
    select id, reason, created_at from opt_outs
    where sub_account_id = $1 and address = any(c.addresses)
      and channel = case $3::text when 'gmail' then 'email' else $3 end
    order by created_at limit 1
  ) as o on true
  where c.sub_account_id = $1 and c.id = $2`;
