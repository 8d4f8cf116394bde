import { defineEntity, p } from '@mikro-orm/core';

const UserSessionTable = defineEntity({
  name: 'UserSession',
  tableName: 'user_sessions',
  uniques: [{ properties: ['tokenHash'] }],
  properties: {
    id: p.uuid().primary(),
    tokenHash: p.text(),
    userId: p.uuid(),
    createdAt: p.datetime(),
    /** When the user last signed in or verified a passkey. */
    verifiedAt: p.datetime(),
    /** Written at most once a minute. */
    lastSeenAt: p.datetime(),
  },
});

/** A browser in which a user is signed in. */
export class UserSession extends UserSessionTable.class {
  static readonly foreignKeys = ['(user_id) references users (id) on delete cascade'];
}
UserSessionTable.setClass(UserSession);
