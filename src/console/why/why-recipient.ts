import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { requireCampaign } from '../../campaigns/campaign.store.ts';
import { matching, type ListFilter } from '../../campaigns/lists/list-filter.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { suppressionReason } from './suppression-reason.ts';
import { because, happened, type Reason, type WhyAnswer, type WhyKind } from './why.ts';

interface RecipientRow {
  readonly id: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly settledAt: string | null;
}

interface CampaignRow {
  readonly status: string;
  readonly heldBecause: string | null;
  readonly startedAt: string | null;
  readonly updatedAt: string;
  readonly listId: string | null;
  readonly filter: ListFilter | null;
}

/** A contact that a campaign left out. */
export const whyRecipient: WhyKind = {
  kind: 'recipient',
  summary: 'a contact that a campaign left out, or whose mail failed',
  access: memberScope('campaigns:write'),
  needs: [['campaignId', 'contactId']],
  async explain(view, { campaignId, contactId }) {
    await requireCampaign(view, campaignId);
    await readContact(view, contactId);
    const ids = [view.subAccountId, campaignId, contactId];
    const [recipient] = await view.rows<RecipientRow>(RECIPIENT, ids);
    if (recipient) {
      return explainRecipient(view, recipient, { campaignId, contactId });
    }
    const [campaign] = await view.rows<CampaignRow>(CAMPAIGN, ids.slice(0, 2));
    const found = campaign && (await notChosen(view, campaign, { campaignId, contactId }));
    return because(found ?? later({ campaignId, at: campaign?.startedAt ?? null }));
  },
};

async function explainRecipient(
  view: View,
  { id, status, errorCode, errorMessage, settledAt: at }: RecipientRow,
  { campaignId, contactId }: Pair,
): Promise<WhyAnswer> {
  const record = { type: 'recipient', id };
  switch (status) {
    case 'sent':
      return happened({ rule: 'sent', sentence: 'The mail was sent.', record, at });
    case 'skipped':
      return because(
        errorCode === 'cancelled'
          ? { ...CANCELLED, record: { type: 'campaign', id: campaignId }, at }
          : errorCode === 'merged'
            ? { ...MERGED, record, at }
            : ((await suppressionReason(view, contactId, 'email')) ?? { ...OPTED_OUT, record, at }),
      );
    case 'unknown': {
      const sentence =
        'The server may have accepted the mail: the worker stopped before it answered. It is not sent twice.';
      return because({ rule: 'unknown', sentence, record, at });
    }
    case 'failed': {
      const sentence = `The mail failed: ${errorMessage ?? errorCode ?? 'no reason was given'}.`;
      return because({ rule: errorCode ?? 'failed', sentence, record, at });
    }
    default:
      return because({ rule: 'waiting', sentence: 'The mail waits for its turn.', record, at });
  }
}

const CANCELLED = {
  rule: 'campaign_cancelled',
  sentence: 'The campaign was cancelled before this mail was sent.',
};

const MERGED = {
  rule: 'merged',
  sentence: 'The contact was merged, and gets this mail at another address.',
};

/** The opt-out has since been lifted: what it was is no longer stored. */
const OPTED_OUT = {
  rule: 'skipped',
  sentence: 'The address was opted out, or the contact was deleted, when its turn came.',
};

const later = ({ campaignId, at }: { campaignId: string; at: string | null }): Reason => ({
  rule: 'later',
  sentence: 'The contact joined the list, or was changed, after the recipients were chosen.',
  record: { type: 'campaign', id: campaignId },
  at,
});

interface Pair {
  readonly campaignId: string;
  readonly contactId: string;
}

/** Decides again by the rules of the audience: the first rule against the contact. */
async function notChosen(
  view: View,
  { status, heldBecause, startedAt, updatedAt, listId, filter }: CampaignRow,
  { campaignId, contactId }: Pair,
): Promise<Reason | undefined> {
  const record = { type: 'campaign', id: campaignId };
  if (startedAt === null) {
    const why = heldBecause === null ? '' : `: ${heldBecause}`;
    const sentence = `The campaign has not started; it is ${status}${why}.`;
    return { rule: `campaign_${status}`, sentence, record, at: updatedAt };
  }
  const ofContact = { type: 'contact', id: contactId };
  const [contact] = await view.rows<{ email: string | null; changedAt: string }>(CONTACT, [
    view.subAccountId,
    contactId,
  ]);
  if (contact?.email === null) {
    const sentence = 'The contact has no email address.';
    return { rule: 'no_email', sentence, record: ofContact, at: contact.changedAt };
  }
  const suppressed = await suppressionReason(view, contactId, 'email');
  if (suppressed || listId === null || (await isListed(view, { listId, filter, contactId }))) {
    return suppressed;
  }
  const sentence = filter
    ? 'The contact does not match the filter of the list.'
    : 'The contact is not on the list.';
  return { rule: 'not_on_list', sentence, record: { type: 'list', id: listId }, at: startedAt };
}

interface Listing {
  readonly listId: string;
  readonly filter: ListFilter | null;
  readonly contactId: string;
}

async function isListed(view: View, { listId, filter, contactId }: Listing): Promise<boolean> {
  const values: unknown[] = [view.subAccountId, contactId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = filter
    ? matching(filter, bind)
    : [
        `exists (select from list_members m where m.sub_account_id = $1
          and m.list_id = ${bind(listId)} and m.contact_id = c.id)`,
      ];
  const found = await view.rows(
    `select from contacts c where c.sub_account_id = $1 and c.id = $2
     ${conditions.map((one) => `and ${one}`).join(' ')}`,
    values,
  );
  return found.length > 0;
}

const RECIPIENT = `select id, status, error_code as "errorCode", error_message as "errorMessage",
    ${isoText('settled_at')} as "settledAt"
  from campaign_recipients
  where sub_account_id = $1 and campaign_id = $2 and contact_id = $3
  order by id desc limit 1`;

const CAMPAIGN = `select c.status, c.held_because as "heldBecause",
    ${isoText('c.started_at')} as "startedAt", ${isoText('c.updated_at')} as "updatedAt",
    c.list_id as "listId", l.filter
  from campaigns c left join lists l on l.sub_account_id = c.sub_account_id and l.id = c.list_id
  where c.sub_account_id = $1 and c.id = $2`;

const CONTACT = `select email, ${isoText('updated_at')} as "changedAt" from contacts
  where sub_account_id = $1 and id = $2`;
