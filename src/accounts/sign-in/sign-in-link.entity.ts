import { defineEntity, p } from '@mikro-orm/core';

/** Mailed to the user, or shown to the person who made it. */
export type LinkPurpose = 'mail' | 'shown';

const SignInLinkTable = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_links',
  properties: {
    /** The token itself is only in the link. */
    tokenHash: p.text().primary(),
    userId: p.uuid(),
    purpose: p.text().$type<LinkPurpose>(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    /** The sub-account that the console opens; by default the user's first one. */
    opens: p.uuid().nullable(),
  },
});

/** A sign-in link. Used ones are kept until they expire: mails are counted by them. */
export class SignInLink extends SignInLinkTable.class {
  static readonly foreignKeys = ['(user_id) references users (id) on delete cascade'];
}
SignInLinkTable.setClass(SignInLink);
