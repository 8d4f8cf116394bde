import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';

const CampaignRecipientTable = defineEntity({
  name: 'CampaignRecipient',
  tableName: 'campaign_recipients',
  uniques: [{ properties: ['subAccountId', 'campaignId', 'address'] }],
  properties: {
    ...recordKey(),
    campaignId: p.uuid(),
    contactId: p.uuid(),
    email: p.text(),
    /** The email address in lower case. */
    address: p.text(),
    status: p
      .text()
      .$type<'pending' | 'sending' | 'sent' | 'skipped' | 'failed' | 'unknown'>()
      .default('pending'),
    /** The holder of the mailing lease under which the recipient was claimed. */
    claimedBy: p.uuid().nullable(),
    attempts: p.smallint().default(0),
    /** The earliest time of the next attempt, after a failed one. */
    dueAt: p.datetime(6).nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    settledAt: p.datetime().nullable(),
    /** The bridge's id of the mail. */
    externalId: p.text().nullable(),
    /** When the recipient unsubscribed by the link in the mail; null unless that holds. */
    unsubscribedAt: p.datetime().nullable(),
  },
});

/** An address of a campaign, written before any mail is sent. */
export class CampaignRecipient extends CampaignRecipientTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, campaign_id) references campaigns (sub_account_id, id)',
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
  ];
}
CampaignRecipientTable.setClass(CampaignRecipient);
