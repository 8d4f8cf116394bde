import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import { MEMBER_ROLES, ROLES } from '#core/role.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { addMember, changeMember, relinkMember } from '../accounts/users/change-member.ts';
import { findMember, findMembers } from '../accounts/users/membership.store.ts';
import { linkOf } from '../accounts/sign-in/issue-link.ts';

const params = s.request({ id: s.uuid() });

const member = {
  id: s.uuid(),
  email: Type.String({ examples: ['ada@example.com'] }),
  name: s.nullable(Type.String({ examples: ['Ada Lovelace'] })),
  role: s.oneOf(ROLES),
};

const assertMember = async (view: View, { id }: { readonly id: string }) => {
  if (!(await findMember(view, id))) {
    throw notFound('user');
  }
};

/** The members of the sub-account. */
export const userEndpoints = [
  defineConsoleEndpoint({
    id: 'users.list',
    method: 'GET',
    path: '/console/api/v1/users',
    summary: 'List the members of the sub-account',
    description: 'Sorted by email address. Owners of the installation are members, too.',
    access: memberRole('admin'),
    rate: 'read',
    data: Type.Array(s.response(member)),
    read: async ({ view }) => ({ data: await findMembers(view) }),
  }),
  defineConsoleEndpoint({
    id: 'users.create',
    method: 'POST',
    path: '/console/api/v1/users',
    summary: 'Invite a person to the sub-account',
    description:
      'A known user becomes a member. A sign-in link is mailed where mail is set up. `link` is also returned, unless the user signed in before or has access elsewhere: the link would open that, too.',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'write',
    status: 201,
    body: s.request({
      email: s.email(),
      role: s.oneOf(MEMBER_ROLES),
      name: Type.Optional(s.shortText()),
    }),
    data: s.response({ ...member, link: s.nullable(Type.String()) }),
    shownOnce: ['link'],
    async write({ work, body, baseUrl }) {
      const { user, token } = await addMember(work, body);
      const { id, email, name } = user;
      const link = token === null ? null : linkOf(baseUrl, token);
      return { data: { id, email, name, role: body.role, link } };
    },
  }),
  defineConsoleEndpoint({
    id: 'users.update',
    method: 'PATCH',
    path: '/console/api/v1/users/:id',
    summary: 'Change the role of a member',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'write',
    params,
    assertExists: assertMember,
    body: s.request({ role: s.oneOf(MEMBER_ROLES) }),
    data: s.response(member),
    async write({ work, params: { id }, body: { role }, caller }) {
      await changeMember(work, { userId: id, role, callerId: caller.user.id });
      return { data: (view: View) => findMember(view, id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'users.link',
    method: 'POST',
    path: '/console/api/v1/users/:id/link',
    summary: 'Create a new sign-in link for a member',
    description:
      'It is mailed where mail is set up, and works for 24 hours. `link` is returned under the conditions of an invitation: only for a user who never signed in and has access to nothing else.',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'write',
    params,
    assertExists: assertMember,
    bodyOptional: true,
    data: s.response({ ...member, link: s.nullable(Type.String()) }),
    shownOnce: ['link'],
    async write({ work, params: { id }, baseUrl }) {
      const { token } = await relinkMember(work, id);
      const link = token === null ? null : linkOf(baseUrl, token);
      return { data: async (view: View) => ({ ...(await findMember(view, id)), link }) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'users.delete',
    method: 'DELETE',
    path: '/console/api/v1/users/:id',
    summary: 'Remove a member from the sub-account',
    description: 'The user keeps access to their other sub-accounts.',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'write',
    params,
    assertExists: assertMember,
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id }, caller }) {
      await changeMember(work, { userId: id, role: null, callerId: caller.user.id });
      return { data: { id, deleted: true } };
    },
  }),
];
