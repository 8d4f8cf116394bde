import { defineEntity, p } from '@mikro-orm/core';
import type { AgentPolicy } from '#core/agent.ts';
import type { Scope } from '#core/scope.ts';
import type { KeyKind } from './key-value.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

const ApiKeyTable = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  uniques: [{ properties: ['hash'] }, { properties: ['previousHash'] }],
  properties: {
    id: p.uuid().primary(),
    /** Null for an agency key. */
    subAccountId: p.uuid().nullable(),
    kind: p.text().$type<KeyKind>(),
    name: p.text(),
    prefix: p.text(),
    hash: p.text(),
    previousHash: p.text().nullable(),
    previousExpiresAt: p.datetime().nullable(),
    /** Of a rotated key. */
    previousPrefix: p.text().nullable(),
    previousUsedAt: p.datetime().nullable(),
    scopes: p.array().$type<Scope[]>(),
    rateRead: p.text().nullable(),
    rateWrite: p.text().nullable(),
    /** Decisions about the calls of agents, where they differ from the defaults. */
    agentPolicy: p.json<Partial<AgentPolicy>>().nullable(),
    expiresAt: p.datetime().nullable(),
    /** Of a grant: when its access token, the present value, ends. */
    tokenExpiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

export class ApiKey extends ApiKeyTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];

  stateAt(now: Date): KeyState {
    if (this.revokedAt) {
      return 'revoked';
    }
    return this.expiresAt && this.expiresAt <= now ? 'expired' : 'active';
  }
}
ApiKeyTable.setClass(ApiKey);
