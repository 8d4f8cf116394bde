import { defineEntity, p } from '@mikro-orm/core';

const EngagementScoreTable = defineEntity({
  name: 'EngagementScore',
  tableName: 'engagement_scores',
  properties: {
    subAccountId: p.uuid().primary(),
    contactId: p.uuid().primary(),
    scoredAt: p.datetime(),
  },
});

/** A contact that has a score, and when it was computed. The score itself is a column of the contact. */
export class EngagementScore extends EngagementScoreTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
  ];
}
EngagementScoreTable.setClass(EngagementScore);
