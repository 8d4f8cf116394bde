import { defineEntity, p } from '@mikro-orm/core';
import { timestamps } from '#platform/database/columns.ts';

const UserTable = defineEntity({
  name: 'User',
  tableName: 'users',
  uniques: [{ properties: ['email'] }],
  properties: {
    id: p.uuid().primary(),
    /** In lower case: an address is a user, whatever its spelling. */
    email: p.text(),
    name: p.text().nullable(),
    /** An owner has every role in every sub-account. */
    isOwner: p.boolean(),
    /** Whether a claim of the OpenID provider made the user an owner. */
    ownerByClaim: p.boolean().default(false),
    disabledAt: p.datetime().nullable(),
    lastSignInAt: p.datetime().nullable(),
    /** The sub-account whose admin was shown a link of the user: they may have signed in themselves. */
    vouchedBy: p.uuid().nullable(),
    ...timestamps(),
  },
});

/** A person who works in the console: an email address of the installation. */
export class User extends UserTable.class {}
UserTable.setClass(User);
