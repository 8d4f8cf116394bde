import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { OPPORTUNITY_STATUSES } from './opportunity.schema.ts';

export type FreeFields = Record<string, string | number | boolean>;

const OpportunityTable = defineEntity({
  name: 'Opportunity',
  tableName: 'opportunities',
  properties: {
    ...recordKey(),
    /** Set while the opportunity is live; both are null once the stage of a deleted one is removed. */
    pipelineId: p.uuid().nullable(),
    stageId: p.uuid().nullable(),
    contactId: p.uuid(),
    name: p.text(),
    value: p.double().nullable(),
    currency: p.text(),
    status: p.text().$type<(typeof OPPORTUNITY_STATUSES)[number]>(),
    assignedTo: p.uuid().nullable(),
    tags: p.array().defaultRaw("'{}'"),
    source: p.text().nullable(),
    /** Epoch milliseconds, like `closedAt`. */
    expectedCloseDate: p.bigint('number').nullable(),
    lostReason: p.text().nullable(),
    customFields: p.json<FreeFields>().defaultRaw("'{}'"),
    closedAt: p.bigint('number').nullable(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
    /** The name in lower case without accents, for searches. */
    searchText: p.text().generated('(fold_text(name)) stored').lazy(),
    /** Tags in lower case. */
    tagKeys: p.array().generated('(fold_tags(tags)) stored').lazy(),
  },
});

export class Opportunity extends OpportunityTable.class {
  static readonly foreignKeys = [
    '(sub_account_id, assigned_to) references team_members (sub_account_id, id) on delete set null (assigned_to)',
    '(sub_account_id, contact_id) references contacts (sub_account_id, id)',
    '(sub_account_id, pipeline_id, stage_id) references pipeline_stages (sub_account_id, pipeline_id, id) on delete set null (pipeline_id, stage_id)',
    '(sub_account_id) references sub_accounts (id)',
  ];
}
OpportunityTable.setClass(Opportunity);
