import { defineEntity, p } from '@mikro-orm/core';

const EngagementMarkTable = defineEntity({
  name: 'EngagementMark',
  tableName: 'engagement_marks',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    contactId: p.uuid(),
  },
});

/** A contact whose score has to be computed again. */
export class EngagementMark extends EngagementMarkTable.class {}
EngagementMarkTable.setClass(EngagementMark);
