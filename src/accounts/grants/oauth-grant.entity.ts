import { defineEntity, p } from '@mikro-orm/core';
import type { AgentPolicy } from '#core/agent.ts';
import type { Scope } from '#core/scope.ts';

const OauthGrantTable = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  uniques: [{ properties: ['subAccountId', 'codeHash'] }],
  properties: {
    subAccountId: p.uuid().primary(),
    /** Also the id of the API key, which begins to exist when the code is redeemed. */
    id: p.uuid().primary(),
    /** The user who allowed the program. */
    userId: p.uuid(),
    clientId: p.text(),
    clientName: p.text(),
    redirectUri: p.text(),
    /** Of PKCE: the SHA-256 of the code verifier, in base64url. */
    codeChallenge: p.text(),
    scopes: p.array().$type<Scope[]>(),
    agentPolicy: p.json<Partial<AgentPolicy>>(),
    /** The code itself is not stored. */
    codeHash: p.text(),
    codeExpiresAt: p.datetime(),
    redeemedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

/** What a user allowed a program (OAuth 2.1): from the code in the redirect to the end of the access. */
export class OauthGrant extends OauthGrantTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(user_id) references users (id) on delete cascade',
  ];
}
OauthGrantTable.setClass(OauthGrant);
