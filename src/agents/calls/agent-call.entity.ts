import { defineEntity, p } from '@mikro-orm/core';

const AgentCallTable = defineEntity({
  name: 'AgentCall',
  tableName: 'agent_calls',
  indexes: [{ properties: ['expiresAt'], name: 'agent_calls_expiry' }],
  properties: {
    subAccountId: p.uuid().primary(),
    /** The API key that called. */
    keyId: p.uuid().primary(),
    callHash: p.text().primary(),
    records: p.array().columnType('uuid[]'),
    changeCount: p.integer(),
    status: p.integer(),
    response: p.text(),
    calledAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});

/** A successful write of an agent. Its repeats return the stored response. */
export class AgentCall extends AgentCallTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
AgentCallTable.setClass(AgentCall);
