import { defineEntity, p } from '@mikro-orm/core';

const PasskeyTable = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  uniques: [{ properties: ['credentialId'] }],
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** The id that the authenticator gave it, in base64url. */
    credentialId: p.text(),
    /** In COSE format. */
    publicKey: p.blob(),
    counter: p.bigint('number'),
    transports: p.array().defaultRaw("'{}'"),
    name: p.text(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
});

/** A passkey (WebAuthn credential) of a user. */
export class Passkey extends PasskeyTable.class {
  static readonly foreignKeys = ['(user_id) references users (id) on delete cascade'];
}
PasskeyTable.setClass(Passkey);
