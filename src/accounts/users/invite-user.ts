import type { Role } from '#core/role.ts';
import type { Work } from '#core/work.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { HOUR_MS } from '#lib/duration.ts';
import { issueLink, type IssuedLink } from '../sign-in/issue-link.ts';
import { setRole } from './set-role.ts';
import { User } from './user.entity.ts';
import { normalEmail } from './user.store.ts';

/** How long the link of an invitation works. */
export const INVITATION_MS = 24 * HOUR_MS;

export interface Invitation {
  readonly email: string;
  readonly name?: string | undefined;
  /** A role in the work's sub-account; `owner` in a work of the agency. */
  readonly role: Role;
  /** The sub-account that the link opens, for an invitation of the agency. */
  readonly opens?: string | undefined;
}

interface InvitedUser extends IssuedLink {
  readonly user: User;
}

/** Gives a person a role and a sign-in link. A known user keeps their name and their other roles. */
export async function inviteUser(work: Work, invitation: Invitation): Promise<InvitedUser> {
  const { email, name, role, opens } = invitation;
  const user = await ensureUser(work, email, name);
  await setRole(work, user, role);
  work.audit(user.id);
  const target = work.subAccountId === AGENCY ? opens : work.subAccountId;
  return { user, ...issueLink(work, user.id, INVITATION_MS, { opens: target }) };
}

/** Returns the user with this email address; creates them if necessary. */
export async function ensureUser(
  work: Work,
  address: string,
  name: string | undefined,
): Promise<User> {
  const { em, now } = work;
  const email = normalEmail(address);
  const known = await em.findOne(User, { email });
  if (known) {
    return known;
  }
  work.retryOn('users_email_key');
  const user = em.create(User, {
    id: newId(now),
    email,
    name: name ?? null,
    isOwner: false,
    disabledAt: null,
    lastSignInAt: null,
    vouchedBy: null,
    createdAt: now,
    updatedAt: now,
  });
  em.persist(user);
  await em.flush();
  return user;
}
