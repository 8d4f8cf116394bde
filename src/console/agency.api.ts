import { Type } from 'typebox';
import {
  defineConsoleEndpoint,
  memberRole,
  ownerAccess,
  ownerOfNew,
} from '#core/endpoint/console-endpoint.ts';
import { Fault, orNotFound } from '#core/fault.ts';
import { MEMBER_ROLES } from '#core/role.ts';
import * as s from '#core/schema/schema.ts';
import type { View, Work } from '#core/work.ts';
import { closeSubAccount } from '../accounts/sub-accounts/delete-sub-account.ts';
import { createSubAccount } from '../accounts/sub-accounts/create-sub-account.ts';
import { subAccountCreate } from '../accounts/sub-accounts/sub-account.schema.ts';
import { findSubAccount, findSubAccounts } from '../accounts/sub-accounts/sub-account.store.ts';
import { disableUser, enableUser, endSessions } from '../accounts/sign-in/end-sessions.ts';
import { INVITATION_MS, inviteUser } from '../accounts/users/invite-user.ts';
import { issueLink, linkOf, LINK_MS } from '../accounts/sign-in/issue-link.ts';
import { setRole } from '../accounts/users/set-role.ts';
import type { User } from '../accounts/users/user.entity.ts';
import {
  findUserById,
  findUsers,
  loadUserById,
  lockWithCaller,
} from '../accounts/users/user.store.ts';
import { roleChanged } from '#platform/http/session.ts';

const params = s.request({ id: s.uuid() });

const subAccount = s.response({
  id: s.uuid(),
  name: Type.String({ examples: ['Harbour Dental'] }),
  locationId: Type.String(),
  timezone: s.timeZone(),
  currency: s.currency(),
  sandbox: Type.Boolean(),
  createdAt: s.isoTime(),
  deletedAt: s.nullable(s.isoTime({ description: 'when it was closed' })),
});

const userRow = {
  id: s.uuid(),
  email: Type.String({ examples: ['ada@example.com'] }),
  name: s.nullable(Type.String({ examples: ['Ada Lovelace'] })),
  status: s.oneOf(['active', 'disabled']),
  isOwner: Type.Boolean(),
  memberships: Type.Array(s.response({ subAccountId: s.uuid(), role: s.oneOf(MEMBER_ROLES) })),
  lastSignInAt: s.nullable(s.isoTime()),
};

const knownUser = async (view: View, { id }: { readonly id: string }) => {
  return orNotFound(await findUserById(view, id), 'user');
};

const rowOf = (id: string) => (view: View) => knownUser(view, { id }) as never;

/**
 * Loads a user to change them. The caller stays an active owner: owners must not lock themselves out, nor
 * each other at the same time.
 */
async function otherUser(work: Work, id: string, callerId: string): Promise<User> {
  if (id === callerId) {
    throw new Fault('FORBIDDEN', 'this is you: another owner must change your own access');
  }
  const caller = await lockWithCaller(work, id, callerId);
  if (!caller?.isOwner) {
    throw roleChanged();
  }
  const user = await loadUserById(work, id);
  work.audit(id);
  return user;
}

/** What owners do for the installation as a whole. */
export const agencyEndpoints = [
  defineConsoleEndpoint({
    id: 'agency.sub-accounts',
    method: 'GET',
    path: '/console/api/agency/sub-accounts',
    summary: 'List the sub-accounts of the installation',
    description: 'Newest first, without closed ones. As `frontdesk admin sub-account list`.',
    access: ownerAccess,
    rate: 'read',
    data: Type.Array(subAccount),
    read: async ({ view }) => ({ data: await findSubAccounts(view) }),
  }),
  defineConsoleEndpoint({
    id: 'agency.create-sub-account',
    method: 'POST',
    path: '/console/api/agency/sub-accounts',
    summary: 'Create a sub-account or a sandbox',
    description: 'As `frontdesk admin sub-account create`. `sandbox` cannot be changed later.',
    access: ownerOfNew,
    rate: 'write',
    status: 201,
    body: subAccountCreate,
    data: subAccount,
    async write({ work, body }) {
      const { id } = await createSubAccount(work, body);
      return { data: (view: View) => findSubAccount(view, id) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'sub-account.close',
    method: 'POST',
    path: '/console/api/v1/sub-account/close',
    summary: 'Close the sub-account',
    description:
      'As `frontdesk admin sub-account delete`: its keys are refused and its jobs stop, the data stays until it is purged. `name` repeats the name of the sub-account.',
    access: memberRole('owner'),
    recentSignIn: true,
    rate: 'write',
    body: s.request({ name: s.shortText({ examples: ['Harbour Dental'] }) }),
    data: s.response({ id: s.uuid(), closed: Type.Boolean() }),
    async write({ work, body: { name } }) {
      await closeSubAccount(work, name);
      return { data: { id: work.subAccountId, closed: true } };
    },
  }),
  defineConsoleEndpoint({
    id: 'agency.users',
    method: 'GET',
    path: '/console/api/agency/users',
    summary: 'List the users of the installation',
    description: 'Sorted by email address. As `frontdesk admin user list`.',
    access: ownerAccess,
    rate: 'read',
    data: Type.Array(s.response(userRow)),
    read: async ({ view }) => ({ data: await findUsers(view) }),
  }),
  defineConsoleEndpoint({
    id: 'agency.invite-owner',
    method: 'POST',
    path: '/console/api/agency/users',
    summary: 'Make a person an owner of the installation',
    description: 'A known user becomes an owner. `link` signs them in once, within 24 hours.',
    access: ownerAccess,
    recentSignIn: true,
    rate: 'write',
    status: 201,
    body: s.request({ email: s.email(), name: Type.Optional(s.shortText()) }),
    data: s.response({ ...userRow, link: Type.String() }),
    shownOnce: ['link'],
    async write({ work, body, baseUrl }) {
      const { user, token } = await inviteUser(work, { ...body, role: 'owner' });
      const link = linkOf(baseUrl, token);
      const { id } = user;
      return {
        data: async (view: View) => ({ ...(await knownUser(view, { id })), link }) as never,
      };
    },
  }),
  defineConsoleEndpoint({
    id: 'agency.update-user',
    method: 'PATCH',
    path: '/console/api/agency/users/:id',
    summary: 'Disable or enable a user, or change who is an owner',
    description:
      'As `frontdesk admin user disable`, `enable` and `role`. A disabled user is signed out everywhere. Owners cannot change themselves.',
    access: ownerAccess,
    recentSignIn: true,
    rate: 'write',
    params,
    assertExists: knownUser,
    body: s.request(
      s.partial({ status: s.oneOf(['active', 'disabled']), isOwner: Type.Boolean() }),
    ),
    data: s.response(userRow),
    async write({ work, params: { id }, body: { status, isOwner }, caller }) {
      const user = await otherUser(work, id, caller.user.id);
      if (isOwner !== undefined) {
        await setRole(work, user, isOwner ? 'owner' : null);
      }
      if (status !== undefined) {
        await (status === 'disabled' ? disableUser(work, user) : enableUser(work, user));
      }
      return { data: rowOf(id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'agency.link-user',
    method: 'POST',
    path: '/console/api/agency/users/:id/link',
    summary: 'Create a new sign-in link for a user',
    description:
      'As `frontdesk admin user link`: `link` signs them in once, within 15 minutes, or 24 hours if they never signed in.',
    access: ownerAccess,
    recentSignIn: true,
    rate: 'write',
    params,
    assertExists: knownUser,
    bodyOptional: true,
    data: s.response({ ...userRow, link: Type.String() }),
    shownOnce: ['link'],
    async write({ work, params: { id }, baseUrl }) {
      const user = await loadUserById(work, id);
      if (user.disabledAt) {
        throw new Fault('VALIDATION_ERROR', `${user.email} is disabled: enable the user first`);
      }
      work.audit(id);
      const { token } = issueLink(work, id, user.lastSignInAt ? LINK_MS : INVITATION_MS);
      const link = linkOf(baseUrl, token);
      return {
        data: async (view: View) => ({ ...(await knownUser(view, { id })), link }) as never,
      };
    },
  }),
  defineConsoleEndpoint({
    id: 'agency.sign-out-user',
    method: 'POST',
    path: '/console/api/agency/users/:id/sign-out',
    summary: 'Sign a user out everywhere',
    description:
      'As `frontdesk admin user sign-out`: sign-in links that were not used yet end, too.',
    access: ownerAccess,
    rate: 'write',
    params,
    assertExists: knownUser,
    bodyOptional: true,
    data: s.response(userRow),
    async write({ work, params: { id } }) {
      // A sign-in at the same moment locks the user, too.
      const user = await loadUserById(work, id);
      await endSessions(work, user.id);
      work.audit(id);
      return { data: rowOf(id) };
    },
  }),
];
