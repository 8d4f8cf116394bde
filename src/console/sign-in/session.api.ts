import { Type } from 'typebox';
import { defineConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import { ROLES } from '#core/role.ts';
import * as s from '#core/schema/schema.ts';
import { endSession } from '../../accounts/sign-in/end-sessions.ts';
import { findMemberships } from '../../accounts/users/membership.store.ts';
import { findPictureUrl } from '../../accounts/users/pictures.ts';
import { sessionCookie } from '#platform/http/session.ts';

const session = s.response({
  user: s.response({
    id: s.uuid(),
    email: Type.String({ examples: ['ada@example.com'] }),
    name: s.nullable(Type.String({ examples: ['Ada Lovelace'] })),
    pictureUrl: s.nullable(
      Type.String({ description: 'the path of their picture on this server' }),
    ),
  }),
  isOwner: Type.Boolean(),
  isRecent: Type.Boolean({
    description: 'whether the sign-in is recent enough for operations that need a recent one',
  }),
  memberships: Type.Array(
    s.response({
      subAccountId: s.uuid(),
      subAccountName: Type.String({ examples: ['Harbour Dental'] }),
      sandbox: Type.Boolean(),
      timezone: s.timeZone(),
      role: s.oneOf(ROLES),
      memberId: s.nullable(s.uuid()),
    }),
  ),
});

/** The session of the signed-in user. */
export const sessionEndpoints = [
  defineConsoleEndpoint({
    id: 'session.get',
    method: 'GET',
    path: '/console/api/session',
    summary: 'Get the signed-in user and their memberships',
    description:
      'Sorted by name. An owner is a member of every sub-account. `memberId` is the team member with the email address of the user.',
    access: { kind: 'session' },
    rate: 'read',
    data: session,
    async read({ view, caller: { user, isOwner, isRecent } }) {
      const pictureUrl = await findPictureUrl(view, user.id);
      const memberships = await findMemberships(view, user.id);
      return { data: { user: { ...user, pictureUrl }, isOwner, isRecent, memberships } };
    },
  }),
  defineConsoleEndpoint({
    id: 'session.sign-out',
    method: 'POST',
    path: '/console/api/sign-out',
    summary: 'End the session',
    access: { kind: 'session' },
    rate: 'write',
    bodyOptional: true,
    data: s.response({ signedOut: Type.Boolean() }),
    async write({ work, caller, baseUrl }) {
      await endSession(work, caller);
      return { data: { signedOut: true }, headers: sessionCookie(baseUrl, null) };
    },
  }),
];
