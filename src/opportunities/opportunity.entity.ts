import { defineEntity, p } from '@mikro-orm/core';
import type { OPPORTUNITY_STATUSES } from './opportunity.schema.ts';

export type FreeFields = Record<string, string | number | boolean>;

const OpportunityTable = defineEntity({
  name: 'Opportunity',
  tableName: 'opportunities',
  properties: {
    subAccountId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Set while the opportunity is live; both are null once the stage of a deleted one is removed. */
    pipelineId: p.uuid().nullable(),
    stageId: p.uuid().nullable(),
    contactId: p.uuid(),
    name: p.text(),
    value: p.double().nullable(),
    currency: p.text(),
    status: p.text().$type<(typeof OPPORTUNITY_STATUSES)[number]>(),
    assignedTo: p.uuid().nullable(),
    tags: p.array(),
    source: p.text().nullable(),
    /** Epoch milliseconds, like `closedAt`. */
    expectedCloseDate: p.bigint('number').nullable(),
    lostReason: p.text().nullable(),
    customFields: p.json<FreeFields>(),
    closedAt: p.bigint('number').nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
  },
});

export class Opportunity extends OpportunityTable.class {}
OpportunityTable.setClass(Opportunity);
