import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';

export const RECIPIENT_STATUSES = [
  'pending',
  'sending',
  'sent',
  'skipped',
  'failed',
  'unknown',
] as const;

/** An address of a campaign and what became of its mail. */
export interface RecipientRow {
  readonly id: string;
  readonly email: string;
  /** Of the contact; may be empty. */
  readonly name: string;
  readonly contactId: string;
  readonly status: (typeof RECIPIENT_STATUSES)[number];
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly settledAt: string | null;
  /** When the recipient unsubscribed by the link in the mail. */
  readonly unsubscribedAt: string | null;
}

interface FindRecipientsInput {
  readonly campaignId: string;
  readonly status: string | undefined;
  /** Part of an address or of a contact's name. */
  readonly search: string | undefined;
  /** Only recipients after this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns the recipients of a campaign by id. */
export const findRecipients = (view: View, input: FindRecipientsInput): Promise<RecipientRow[]> =>
  view.rows<RecipientRow>(FIND, [
    view.subAccountId,
    input.campaignId,
    input.status ?? null,
    input.after ?? null,
    input.limit,
    input.search ?? null,
  ]);

/** Names are looked up for the page alone, by id: a join would search all contacts for each recipient. */
const FIND = `select r.id, r.email, r.contact_id as "contactId", r.status,
    trim(concat(n.first_name, ' ', n.last_name)) as name, r.error_code as "errorCode",
    r.error_message as "errorMessage", ${isoText('r.settled_at')} as "settledAt",
    ${isoText('r.unsubscribed_at')} as "unsubscribedAt"
  from (
    select r.* from campaign_recipients r
    where r.sub_account_id = $1 and r.campaign_id = $2 and ($3::text is null or r.status = $3)
    and ($4::uuid is null or r.id > $4)
    and ($6::text is null or strpos(lower(r.email), lower($6)) > 0 or r.contact_id in (
      select c.id from contacts c
      where c.sub_account_id = $1 and strpos(lower(concat(c.first_name, ' ', c.last_name)), lower($6)) > 0
    ))
    order by r.id limit $5
  ) as r
  left join lateral (
    select first_name, last_name from contacts
    where sub_account_id = $1 and id = r.contact_id offset 0
  ) as n on true
  order by r.id`;
