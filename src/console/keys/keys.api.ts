import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { invalidField, notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { parseDuration } from '#lib/duration.ts';
import { findKey, findKeys, type KeyRow } from '../../accounts/keys/api-key.store.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { revokeKey } from '../../accounts/keys/revoke-key.ts';
import { rotateKey } from '../../accounts/keys/rotate-key.ts';
import { setAgentPolicy } from '../../accounts/keys/set-agent-policy.ts';
import { setKeyRates } from '../../accounts/keys/set-key-rates.ts';
import { recentSignInNeeded } from '#platform/http/session.ts';
import { setKeyScopes } from '../../accounts/keys/set-key-scopes.ts';
import { changedKey, keyRow, newKey, newKeyOf } from './key.schema.ts';

const params = s.request({ id: s.uuid() });
const rowWithKey = s.response({ ...keyRow, key: Type.String({ examples: ['sk_live_…'] }) });

/** Returns a key of the view's sub-account. Throws NOT_FOUND. */
async function ownKey(view: View, id: string): Promise<KeyRow> {
  const key = await findKey(view, id);
  if (key?.subAccountId !== view.subAccountId) {
    throw notFound('API key');
  }
  return key;
}

const assertKey = (view: View, { id }: { readonly id: string }) => ownKey(view, id);
const rowOf = (id: string) => (view: View) => ownKey(view, id) as never;
const withValue = (id: string, key: string) => async (view: View) =>
  ({ ...(await ownKey(view, id)), key }) as never;

const admin = memberRole('admin');

/** The API keys of the sub-account. */
export const keyEndpoints = [
  defineConsoleEndpoint({
    id: 'keys.list',
    method: 'GET',
    path: '/console/api/v1/keys',
    summary: 'List the API keys of the sub-account',
    description: 'Newest first, without their values.',
    access: admin,
    rate: 'read',
    data: Type.Array(s.response(keyRow)),
    read: async ({ view }) => ({ data: await findKeys(view, view.subAccountId) }),
  }),
  defineConsoleEndpoint({
    id: 'keys.create',
    method: 'POST',
    path: '/console/api/v1/keys',
    summary: 'Create an API key',
    description: 'The value `key` is only in this response.',
    access: admin,
    recentSignIn: true,
    rate: 'write',
    status: 201,
    body: s.request(newKey),
    data: rowWithKey,
    shownOnce: ['key'],
    async write({ work, body }) {
      const { apiKey, key } = await createKey(work, newKeyOf(body));
      return { data: withValue(apiKey.id, key) };
    },
  }),
  defineConsoleEndpoint({
    id: 'keys.update',
    method: 'PATCH',
    path: '/console/api/v1/keys/:id',
    summary: 'Change the scopes, the rates or the policy of an API key',
    description:
      'A rate of null is the rate of the installation. `agentPolicy` is what agents may do with the key over MCP; decisions that it omits stay. A new scope, and a policy that permits more, need a sign-in within the last 10 minutes.',
    access: admin,
    rate: 'write',
    params,
    assertExists: assertKey,
    body: s.request(changedKey),
    data: s.response(keyRow),
    async write({ work, caller, params: { id }, body }) {
      const { scopes, agentPolicy, ...rates } = body;
      const hasNewScope = scopes !== undefined && (await setKeyScopes(work, { keyId: id, scopes }));
      const permitsMore =
        agentPolicy !== undefined && (await setAgentPolicy(work, { keyId: id, agentPolicy }));
      if ((hasNewScope || permitsMore) && !caller.isRecent) {
        throw recentSignInNeeded();
      }
      await setKeyRates(work, { keyId: id, ...rates });
      return { data: rowOf(id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'keys.rotate',
    method: 'POST',
    path: '/console/api/v1/keys/:id/rotate',
    summary: 'Replace the value of an API key',
    description:
      'The new value `key` is only in this response. Without `grace`, the old value stops working at once.',
    access: admin,
    recentSignIn: true,
    rate: 'write',
    params,
    assertExists: assertKey,
    bodyOptional: true,
    body: s.request({
      grace: Type.Optional(
        Type.String({ description: 'how long the old value works', examples: ['24h'] }),
      ),
    }),
    data: rowWithKey,
    shownOnce: ['key'],
    async write({ work, params: { id }, body: { grace } }) {
      const graceMs = grace === undefined ? undefined : parseDuration(grace);
      if (grace !== undefined && graceMs === undefined) {
        throw invalidField('/grace', 'must be a duration, for example 30m, 24h or 7d');
      }
      const { key } = await rotateKey(work, { keyId: id, graceMs });
      return { data: withValue(id, key) };
    },
  }),
  defineConsoleEndpoint({
    id: 'keys.revoke',
    method: 'POST',
    path: '/console/api/v1/keys/:id/revoke',
    summary: 'Revoke an API key permanently',
    access: admin,
    rate: 'write',
    params,
    assertExists: assertKey,
    bodyOptional: true,
    data: s.response(keyRow),
    async write({ work, params: { id } }) {
      await revokeKey(work, { keyId: id });
      return { data: rowOf(id) };
    },
  }),
];
