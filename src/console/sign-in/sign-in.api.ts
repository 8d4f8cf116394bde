import { Type } from 'typebox';
import { defineSignInEndpoint } from '#core/endpoint/console-endpoint.ts';
import { FORMATS } from '#core/schema/formats.ts';
import * as s from '#core/schema/schema.ts';
import { sessionCookie } from '#platform/http/session.ts';
import { redeemLink, startSession } from '../../accounts/sign-in/start-session.ts';
import { mailLink } from '../../accounts/sign-in/sign-in-mails.jobs.ts';

const TOKEN_MAX = 200;
/** What a person may type into the field for their email address. */
const TYPED_MAX = 1_000;

/** The ways to sign in; each sets the session cookie. */
export const signInEndpoints = [
  defineSignInEndpoint({
    id: 'sign-in.methods',
    method: 'GET',
    path: '/console/api/sign-in',
    summary: 'Get the ways to sign in that are set up',
    description: 'Links and passkeys always work.',
    access: { kind: 'visitor' },
    data: s.response({ mail: Type.Boolean(), oidc: Type.Boolean() }),
    write: async ({ tools: { mailer, openId } }) => ({
      data: { mail: mailer.isSetUp, oidc: openId.isSetUp },
    }),
  }),
  defineSignInEndpoint({
    id: 'sign-in.link',
    method: 'POST',
    path: '/console/api/sign-in/link',
    summary: 'Sign in with a link',
    description: 'The token is the part of the link after `#`. A link works once.',
    access: { kind: 'visitor' },
    limit: 'sign_in',
    faults: ['UNAUTHORIZED'],
    body: s.request({ token: Type.String({ minLength: 1, maxLength: TOKEN_MAX }) }),
    data: s.response({
      userId: s.uuid(),
      subAccountId: s.nullable(
        s.uuid({ description: 'the sub-account to open; null: the first one' }),
      ),
    }),
    async write({ work, body: { token }, sessionToken, baseUrl }) {
      const { user, opens } = await redeemLink(work, token);
      const session = await startSession(work, user, sessionToken);
      const data = { userId: user.id, subAccountId: opens };
      return { data, headers: sessionCookie(baseUrl, session) };
    },
  }),
  defineSignInEndpoint({
    id: 'sign-in.mail',
    method: 'POST',
    path: '/console/api/sign-in/mail',
    summary: 'Request a sign-in link by mail',
    description:
      'The response is the same for an address of a user, an unknown address, and a text that is no address. A user gets at most 5 mails per hour.',
    access: { kind: 'visitor' },
    limit: 'sign_in',
    status: 202,
    body: s.request({
      email: Type.String({ maxLength: TYPED_MAX, examples: ['anna@harbour.example'] }),
    }),
    data: s.response({ accepted: Type.Boolean() }),
    // The address is looked up by the job: the time of the response does not depend on it.
    async write({ work, body: { email } }) {
      if (FORMATS['email']?.test(email)) {
        work.enqueue(mailLink, { email });
      }
      return { data: { accepted: true } };
    },
  }),
];
