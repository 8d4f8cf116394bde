import { Type } from 'typebox';
import { DECISIONS } from '#core/agent.ts';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { invalidField } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPES } from '#core/scope.ts';
import { allowProgram } from '../accounts/grants/allow-program.ts';
import { answerUrl, openRequest } from '../accounts/grants/authorization-request.ts';
import { redirectTarget } from '../accounts/grants/redirect-uri.ts';

const REQUEST_MAX = 8_000;
const sealed = Type.String({ minLength: 1, maxLength: REQUEST_MAX });
const decision = s.oneOf(DECISIONS);
const policy = s.request({ tells: decision, destroys: decision, mass: decision });

const program = s.response({
  client: s.response({
    id: Type.String({ examples: ['https://claude.ai/oauth/client-metadata'] }),
    name: Type.String({ examples: ['Claude'] }),
    host: Type.String({ examples: ['claude.ai'] }),
  }),
  redirect: s.response({
    host: Type.String({
      examples: ['claude.ai'],
      description: 'where access is sent: a host, or the scheme of an installed program',
    }),
    isLocal: Type.Boolean({ description: 'the program runs on the device of the user' }),
    isForeign: Type.Boolean({ description: 'another host than that of the program' }),
  }),
  scopes: Type.Array(s.oneOf(SCOPES)),
  denyUrl: Type.String({ description: 'tells the program that the user denied the access' }),
});

/** Programs that ask for access with OAuth. */
export const grantEndpoints = [
  defineConsoleEndpoint({
    id: 'grants.request',
    method: 'GET',
    path: '/console/api/authorize',
    summary: 'Get the request of a program for access',
    description:
      '`request` is the parameter of the consent page, to which `/oauth/authorize` leads. It is valid for an hour.',
    access: { kind: 'session' },
    rate: 'read',
    query: s.request({ request: sealed }),
    data: program,
    async read({ view, query, tools: { secrets }, baseUrl }) {
      const asked = openRequest(secrets, query.request, view.now);
      const { host } = new URL(asked.clientId);
      const target = redirectTarget(asked.redirectUri) ?? { host: '', isLocal: false };
      return {
        data: {
          client: { id: asked.clientId, name: asked.clientName, host },
          redirect: { ...target, isForeign: !target.isLocal && target.host !== host },
          scopes: asked.scopes,
          denyUrl: answerUrl(asked, baseUrl, {
            error: 'access_denied',
            error_description: 'the user denied the access',
          }),
        },
      };
    },
  }),
  defineConsoleEndpoint({
    id: 'grants.allow',
    method: 'POST',
    path: '/console/api/v1/authorize',
    summary: 'Give a program access to the sub-account',
    description:
      'The scopes are some of those that the program asked for. `redirectTo` is the address that gives the program its code, which works once, for 60 seconds.',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'write',
    body: s.request({
      request: sealed,
      scopes: Type.Array(s.oneOf(SCOPES), { minItems: 1, uniqueItems: true }),
      agentPolicy: policy,
    }),
    data: s.response({ redirectTo: Type.String() }),
    shownOnce: ['redirectTo'],
    async write({ work, body, caller: { user }, tools: { secrets }, baseUrl }) {
      const { scopes, agentPolicy } = body;
      const { scopes: wanted, state, ...asked } = openRequest(secrets, body.request, work.now);
      const unasked = scopes.filter((name) => !wanted.includes(name));
      if (unasked.length > 0) {
        throw invalidField(
          '/scopes',
          `has ${unasked.join(', ')}, which the program did not ask for`,
        );
      }
      const code = allowProgram(work, { ...asked, userId: user.id, scopes, agentPolicy });
      const target = { redirectUri: asked.redirectUri, state };
      return { data: { redirectTo: answerUrl(target, baseUrl, { code }) } };
    },
  }),
];
