import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { requireCampaign } from '../../campaigns/campaign.store.ts';
import { matching, type ListFilter } from '../../campaigns/lists/list-filter.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { suppressionReason } from './suppression-reason.ts';
import { hasText, type WhyLanguage } from './language.ts';
import { failureText, refusalOf } from './server-reply.ts';
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
  async explain(view, { campaignId, contactId }, language) {
    await requireCampaign(view, campaignId);
    const ids = [view.subAccountId, campaignId, contactId];
    const [recipient] = await view.rows<RecipientRow>(RECIPIENT, ids);
    if (recipient) {
      return explainRecipient(view, recipient, { campaignId, contactId }, language);
    }
    await readContact(view, contactId);
    const [campaign] = await view.rows<CampaignRow>(CAMPAIGN, ids.slice(0, 2));
    const found =
      campaign && (await notChosen(view, campaign, { campaignId, contactId }, language));
    const later: Reason = {
      rule: 'later',
      sentence: language.messages.recipient.later,
      record: { type: 'campaign', id: campaignId },
      at: campaign?.startedAt ?? null,
    };
    return because(found ?? later);
  },
};

async function explainRecipient(
  view: View,
  recipient: RecipientRow,
  { campaignId, contactId }: Pair,
  language: WhyLanguage,
): Promise<WhyAnswer> {
  const { id, status, errorCode, settledAt: at } = recipient;
  const { recipient: texts } = language.messages;
  const record = { type: 'recipient', id };
  switch (status) {
    case 'sent':
      return happened({ rule: 'sent', sentence: texts.sent, record, at });
    case 'skipped': {
      if (errorCode === 'cancelled') {
        const campaign = { type: 'campaign', id: campaignId };
        const sentence = texts.cancelled;
        return because({ rule: 'campaign_cancelled', sentence, record: campaign, at });
      }
      if (errorCode === 'merged') {
        return because({ rule: 'merged', sentence: texts.merged, record, at });
      }
      // Without a reason now, the opt-out has since been lifted: what it was is no longer stored.
      const suppressed = await suppressionReason(view, contactId, 'email', language);
      return because(suppressed ?? { rule: 'skipped', sentence: texts.optedOut, record, at });
    }
    case 'unknown':
      return because({ rule: 'unknown', sentence: texts.unknown, record, at });
    case 'failed': {
      const sentence = failureOf(recipient, language);
      return because({ rule: errorCode ?? 'failed', sentence, record, at });
    }
    default:
      return because(await waitOf(view, recipient, campaignId, language));
  }
}

/** Returns why a mail was not sent yet. */
async function waitOf(
  view: View,
  recipient: RecipientRow,
  campaignId: string,
  language: WhyLanguage,
): Promise<Reason> {
  const { recipient: texts } = language.messages;
  const [campaign] = await view.rows<CampaignRow>(CAMPAIGN, [view.subAccountId, campaignId]);
  if (campaign?.status === 'held' && campaign.heldBecause !== null) {
    return {
      rule: 'campaign_held',
      sentence: texts.held(campaign.heldBecause),
      record: { type: 'campaign', id: campaignId },
      at: campaign.updatedAt,
    };
  }
  const { id, errorCode, settledAt: at } = recipient;
  const sentence =
    errorCode === null ? texts.waits : `${failureOf(recipient, language)} ${texts.triedAgain}`;
  return { rule: 'waiting', sentence, record: { type: 'recipient', id }, at };
}

function failureOf(recipient: RecipientRow, { messages }: WhyLanguage): string {
  const { refused, failed, noReason } = messages.recipient;
  const { errorCode, errorMessage } = recipient;
  const refusal = refusalOf(recipient);
  return refusal
    ? refused(refusal.code, refusal.said)
    : failed(failureText(errorMessage ?? errorCode ?? noReason));
}

interface Pair {
  readonly campaignId: string;
  readonly contactId: string;
}

/** Decides again by the rules of the audience: the first rule against the contact. */
async function notChosen(
  view: View,
  { status, heldBecause, startedAt, updatedAt, listId, filter }: CampaignRow,
  { campaignId, contactId }: Pair,
  language: WhyLanguage,
): Promise<Reason | undefined> {
  const texts = language.messages.recipient;
  const record = { type: 'campaign', id: campaignId };
  if (startedAt === null) {
    const sentence =
      heldBecause === null
        ? texts.notStarted[hasText(texts.notStarted, status) ? status : 'other']
        : texts.heldBecause(heldBecause);
    return { rule: `campaign_${status}`, sentence, record, at: updatedAt };
  }
  const ofContact = { type: 'contact', id: contactId };
  const [contact] = await view.rows<{ email: string | null; changedAt: string }>(CONTACT, [
    view.subAccountId,
    contactId,
  ]);
  if (contact?.email === null) {
    const sentence = language.messages.contact.noEmail;
    return { rule: 'no_email', sentence, record: ofContact, at: contact.changedAt };
  }
  const suppressed = await suppressionReason(view, contactId, 'email', language);
  if (suppressed || listId === null || (await isListed(view, { listId, filter, contactId }))) {
    return suppressed;
  }
  const sentence = filter ? texts.notMatched : texts.notListed;
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
