import { defineJob, handle } from '#core/job.ts';
import { email, request, uuid } from '#core/schema/schema.ts';
import { AGENCY } from '#lib/id.ts';
import { MINUTE_MS, HOUR_MS } from '#lib/duration.ts';
import { INVITATION_MS } from '../users/invite-user.ts';
import { issueLink, linkOf } from './issue-link.ts';
import { SignInLink } from './sign-in-link.entity.ts';
import type { View, Work } from '#core/work.ts';
import { messagesOf } from './mail-messages.ts';
import { findUser, loadUser, type UserRow } from '../users/user.store.ts';
import { User } from '../users/user.entity.ts';

/** Half an hour: a link that arrives later is of no use. */
const MAX_ATTEMPTS = 5;
const MAILED_LINK_MS = 15 * MINUTE_MS;
/** Per user and hour (contract 11). */
const MAILS_MAX = 5;

/** Mails a person a link to a sub-account that they became a member of. */
export const mailInvitation = defineJob({
  name: 'accounts/mail-invitation',
  payload: request({ subAccountId: uuid(), userId: uuid() }),
  keyFrom: ['subAccountId', 'userId'],
  maxAttempts: 12,
  lane: 'peers',
});

/** Mails a sign-in link, if the address is a user's. */
export const mailLink = defineJob({
  name: 'accounts/mail-sign-in-link',
  payload: request({ email: email() }),
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});

/** Returns whether a locked user is enabled and got fewer links by mail in the last hour than allowed. */
export async function mayBeMailed({ em, now }: Work, user: User): Promise<boolean> {
  const since = new Date(now.getTime() - HOUR_MS);
  const mailed = { userId: user.id, purpose: 'mail' as const, createdAt: { $gt: since } };
  return user.disabledAt === null && (await em.count(SignInLink, mailed)) < MAILS_MAX;
}

/** The link is made here: only its hash is stored, and the queue never holds the link. */
export const handleMailInvitation = handle(
  mailInvitation,
  async ({ subAccountId, userId }, { tools, transact, actor, settings, openView, clock }) => {
    const [found] = await openView(subAccountId, clock()).rows<{ name: string; locale: string }>(
      `select s.name, s.locale from sub_accounts s join memberships m on m.sub_account_id = s.id
       where s.id = $1 and m.user_id = $2 and s.deleted_at is null`,
      [subAccountId, userId],
    );
    if (!found || !tools.mailer.isSetUp) {
      return;
    }
    const invited = await transact(AGENCY, actor, async (work) => {
      const user = await work.em.findOne(User, { id: userId, disabledAt: null });
      return (
        user && {
          email: user.email,
          ...issueLink(work, user.id, INVITATION_MS, { purpose: 'mail', opens: subAccountId }),
        }
      );
    });
    if (invited) {
      const link = linkOf(settings.baseUrl, invited.token);
      const mail = messagesOf(found.locale).invitation(found.name, link);
      await tools.mailer.send({ to: [invited.email], ...mail });
    }
  },
);

export const handleMailLink = handle(
  mailLink,
  async ({ email: address }, { tools, transact, actor, settings, openView, clock }) => {
    const view = openView(AGENCY, clock());
    const known = await findUser(view, address);
    if (!known || !tools.mailer.isSetUp) {
      return;
    }
    const issued = await transact(AGENCY, actor, async (work) => {
      const user = await loadUser(work, address);
      return (await mayBeMailed(work, user))
        ? issueLink(work, user.id, MAILED_LINK_MS, { purpose: 'mail' })
        : undefined;
    });
    if (issued) {
      const link = linkOf(settings.baseUrl, issued.token);
      const mail = messagesOf(await localeOf(view, known)).signIn(link);
      await tools.mailer.send({ to: [known.email], ...mail });
    }
  },
);

/** Returns the locale of the oldest sub-account that a user can open; owners can open all. */
async function localeOf(view: View, { isOwner, memberships }: UserRow): Promise<string> {
  const ids = memberships.map(({ subAccountId }) => subAccountId);
  const [oldest] = await view.rows<{ locale: string }>(LOCALE, [isOwner, ids]);
  return oldest?.locale ?? 'en';
}

const LOCALE = `select locale from sub_accounts
  where deleted_at is null and ($1 or id = any($2::uuid[])) order by created_at, id limit 1`;
