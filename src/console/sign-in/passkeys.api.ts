import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { defineConsoleEndpoint, defineSignInEndpoint } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import { isoText } from '#core/schema/columns.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { sessionCookie } from '#platform/http/session.ts';
import {
  addPasskey,
  deletePasskey,
  registrationOptions,
  signInOptions,
  verifyPasskey,
  type PasskeyRow,
} from '../../accounts/sign-in/passkeys.ts';
import { startSession } from '../../accounts/sign-in/start-session.ts';

/** What a browser returns; `@simplewebauthn/server` checks it. */
const credential = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 2_000 }) },
  { description: 'as `@simplewebauthn/browser` returns it' },
);

/** Options for the browser, as WebAuthn defines them. */
const options = Type.Object(
  { challenge: Type.String() },
  { description: 'for `@simplewebauthn/browser`' },
);

const passkey = s.response({
  id: s.uuid(),
  name: Type.String({ examples: ['Laptop'] }),
  createdAt: s.isoTime(),
  lastUsedAt: s.nullable(s.isoTime()),
});

type StoredPasskey = PasskeyRow & { readonly id: string };

const rowsOf = (view: View, userId: string) => view.rows<StoredPasskey>(SELECT, [userId]);
const SELECT = `select id, name, ${isoText('created_at')} as "createdAt",
    ${isoText('last_used_at')} as "lastUsedAt", credential_id as "credentialId"
  from passkeys where user_id = $1 order by id`;

const shown = ({ credentialId: _credentialId, ...row }: StoredPasskey): object => row;

async function onePasskey(view: View, userId: string, id: string): Promise<object> {
  const found = (await rowsOf(view, userId)).find((row) => row.id === id);
  if (!found) {
    throw notFound('passkey');
  }
  return shown(found);
}

/** Signing in with a passkey, and the passkeys of the user. */
export const passkeyEndpoints = [
  defineSignInEndpoint({
    id: 'sign-in.passkey-options',
    method: 'POST',
    path: '/console/api/sign-in/passkey/options',
    summary: 'Get the options for signing in with a passkey',
    access: { kind: 'visitor' },
    bodyOptional: true,
    data: options,
    write: async ({ work, tools: { secrets }, baseUrl }) => ({
      data: await signInOptions({ secrets, baseUrl }, work.now),
    }),
  }),
  defineSignInEndpoint({
    id: 'sign-in.passkey',
    method: 'POST',
    path: '/console/api/sign-in/passkey',
    summary: 'Sign in with a passkey',
    description: 'The passkey must verify its user by PIN, fingerprint or face.',
    access: { kind: 'visitor' },
    limit: 'sign_in',
    faults: ['UNAUTHORIZED'],
    body: s.request({ credential }),
    data: s.response({ userId: s.uuid() }),
    async write({ work, body, tools: { secrets }, baseUrl, sessionToken }) {
      const given = body.credential as unknown as AuthenticationResponseJSON;
      const user = await verifyPasskey(work, { secrets, baseUrl }, given);
      const session = await startSession(work, user, sessionToken);
      return { data: { userId: user.id }, headers: sessionCookie(baseUrl, session) };
    },
  }),
  defineConsoleEndpoint({
    id: 'passkeys.options',
    method: 'POST',
    path: '/console/api/passkeys/options',
    summary: 'Get the options for creating a passkey',
    access: { kind: 'session' },
    rate: 'read',
    bodyOptional: true,
    data: options,
    async read({ view, caller: { user }, tools: { secrets }, baseUrl }) {
      const known = await rowsOf(view, user.id);
      return { data: await registrationOptions({ secrets, baseUrl }, user, known, view.now) };
    },
  }),
  defineConsoleEndpoint({
    id: 'passkeys.list',
    method: 'GET',
    path: '/console/api/passkeys',
    summary: 'List your passkeys',
    access: { kind: 'session' },
    rate: 'read',
    data: Type.Array(passkey),
    read: async ({ view, caller: { user } }) => ({
      data: (await rowsOf(view, user.id)).map(shown),
    }),
  }),
  defineConsoleEndpoint({
    id: 'passkeys.create',
    method: 'POST',
    path: '/console/api/passkeys',
    summary: 'Add a passkey',
    access: { kind: 'session' },
    recentSignIn: true,
    rate: 'write',
    status: 201,
    faults: ['UNAUTHORIZED'],
    body: s.request({ credential, name: Type.Optional(s.shortText()) }),
    data: passkey,
    async write({ work, body, caller: { user, sessionId }, tools: { secrets }, baseUrl }) {
      const given = body.credential as unknown as RegistrationResponseJSON;
      const input = { credential: given, name: body.name, sessionId };
      const { id } = await addPasskey(work, { secrets, baseUrl }, user, input);
      return { data: (view: View) => onePasskey(view, user.id, id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'passkeys.delete',
    method: 'DELETE',
    path: '/console/api/passkeys/:id',
    summary: 'Delete a passkey',
    access: { kind: 'session' },
    recentSignIn: true,
    rate: 'write',
    params: s.request({ id: s.uuid() }),
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id }, caller: { user } }) {
      await deletePasskey(work, user.id, id);
      return { data: { id, deleted: true } };
    },
  }),
];
