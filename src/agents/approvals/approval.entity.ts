import { defineEntity, p } from '@mikro-orm/core';
import { recordKey } from '#platform/database/columns.ts';
import type { Risk } from '#core/agent.ts';
import type { Effects } from '#core/endpoint/keyed-endpoint.ts';

const ApprovalTable = defineEntity({
  name: 'Approval',
  tableName: 'agent_approvals',
  properties: {
    ...recordKey(),
    keyId: p.uuid(),
    /** The program of the agent, as it names itself. */
    client: p.text(),
    callHash: p.text(),
    tool: p.text(),
    /** The id of the endpoint. */
    operation: p.text(),
    arguments: p.json<Record<string, unknown>>(),
    risk: p.text().$type<Risk>(),
    summary: p.text(),
    effects: p.json<Effects>(),
    /** `pending` also after its expiry, which the row is shown with. */
    decision: p.text().$type<'pending' | 'approved' | 'denied' | 'expired'>(),
    decidedBy: p.text().nullable(),
    decidedAt: p.datetime().nullable(),
    /** The status and envelope of the call, once it has run. */
    responseStatus: p.integer().nullable(),
    response: p.text().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});

/** A call of an agent that waits for the decision of a person, or did. */
export class Approval extends ApprovalTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
ApprovalTable.setClass(Approval);
