import { defineEntity, p } from '@mikro-orm/core';

const RefreshTokenTable = defineEntity({
  name: 'RefreshToken',
  tableName: 'oauth_refresh_tokens',
  properties: {
    subAccountId: p.uuid().primary(),
    /** The token itself is not stored. */
    tokenHash: p.text().primary(),
    grantId: p.uuid(),
    /** Derives the next tokens again; set once the token was used. */
    seed: p.text().nullable(),
    issuedAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    expiresAt: p.datetime(),
  },
});

/** A refresh token of a grant. Used ones are kept until they expire: their reuse ends the grant. */
export class RefreshToken extends RefreshTokenTable.class {
  static readonly foreignKeys = [
    '(sub_account_id) references sub_accounts (id)',
    '(sub_account_id, grant_id) references oauth_grants (sub_account_id, id) on delete cascade',
  ];
}
RefreshTokenTable.setClass(RefreshToken);
