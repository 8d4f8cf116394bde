import { Type } from 'typebox';
import { defineConsoleEndpoint, ownerAccess } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { findKey, findKeys, type KeyRow } from '../../accounts/keys/api-key.store.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { revokeKey } from '../../accounts/keys/revoke-key.ts';
import { keyRow, newKey, newKeyOf } from './key.schema.ts';

/** Returns an agency key. Throws NOT_FOUND. */
async function agencyKey(view: View, id: string): Promise<KeyRow> {
  const key = await findKey(view, id);
  if (key?.subAccountId !== null) {
    throw notFound('API key');
  }
  return key;
}

/** The keys of the installation. Those of a sub-account are changed by the endpoints `keys.*`. */
export const agencyKeyEndpoints = [
  defineConsoleEndpoint({
    id: 'agency.keys',
    method: 'GET',
    path: '/console/api/agency/keys',
    summary: 'List the API keys of the installation',
    description:
      'Newest first: agency keys (`subAccountId` is null) and the keys of all sub-accounts, without their values. As `frontdesk admin key list`.',
    access: ownerAccess,
    rate: 'read',
    data: Type.Array(s.response(keyRow)),
    read: async ({ view }) => ({ data: await findKeys(view) }),
  }),
  defineConsoleEndpoint({
    id: 'agency.create-key',
    method: 'POST',
    path: '/console/api/agency/keys',
    summary: 'Create an agency key',
    description:
      'The key can access every live sub-account, or with `sandbox` every sandbox. The value `key` is only in this response.',
    access: ownerAccess,
    recentSignIn: true,
    rate: 'write',
    status: 201,
    body: s.request({ ...newKey, sandbox: Type.Optional(Type.Boolean()) }),
    data: s.response({ ...keyRow, key: Type.String({ examples: ['sk_agency_…'] }) }),
    shownOnce: ['key'],
    async write({ work, body: { sandbox, ...body } }) {
      const { apiKey, key } = await createKey(work, { ...newKeyOf(body), sandbox });
      const { id } = apiKey;
      return { data: async (view: View) => ({ ...(await agencyKey(view, id)), key }) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'agency.revoke-key',
    method: 'POST',
    path: '/console/api/agency/keys/:id/revoke',
    summary: 'Revoke an agency key permanently',
    access: ownerAccess,
    rate: 'write',
    params: s.request({ id: s.uuid() }),
    assertExists: (view: View, { id }) => agencyKey(view, id),
    bodyOptional: true,
    data: s.response(keyRow),
    async write({ work, params: { id } }) {
      await revokeKey(work, { keyId: id });
      return { data: (view: View) => agencyKey(view, id) as never };
    },
  }),
];
