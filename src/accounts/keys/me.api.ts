import { Type } from 'typebox';
import { defineKeyedEndpoint, type Caller } from '#core/endpoint/keyed-endpoint.ts';
import { Fault } from '#core/fault.ts';
import { rateText } from '#core/rate-limit.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPES } from '#core/scope.ts';
import type { View } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { findSubAccount } from '../sub-accounts/sub-account.store.ts';
import { findKey } from './api-key.store.ts';
import { KEY_PREFIXES, type KeyKind } from './key-value.ts';

const rate = Type.String({ examples: ['600/1m'] });
const KINDS = Object.keys(KEY_PREFIXES) as KeyKind[];

export const meEndpoints = [
  defineKeyedEndpoint({
    id: 'me.get',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Get the calling key and its sub-account',
    description:
      'For checking a key before anything depends on it. `rates` are the limits that its calls count against. An agency key gets the sub-account of `X-Sub-Account-Id`; without the header, `subAccount` is null. `expiresAt` is when the key expires. If the request has the old value of a rotated key, it is the end of the grace period, if that is earlier. For a program connected with OAuth, it is when its access token expires.',
    access: { kind: 'any' },
    rate: 'read',
    data: s.response({
      keyId: s.uuid(),
      name: Type.String({ examples: ['Booking bot'] }),
      kind: s.oneOf(KINDS),
      scopes: Type.Array(s.oneOf(SCOPES)),
      expiresAt: s.nullable(s.isoTime()),
      rates: s.response({ read: rate, write: rate }),
      subAccount: s.nullable(
        s.response({
          id: s.uuid(),
          name: Type.String({ examples: ['Harbour Dental'] }),
          timezone: s.timeZone(),
          currency: s.currency(),
          sandbox: Type.Boolean(),
        }),
      ),
    }),
    read: async ({ view, caller }) => ({ data: await describeCaller(view, caller) }),
  }),
];

async function describeCaller(view: View, { keyId, keyPrefix, subAccountId, rates }: Caller) {
  const key = await findKey(view, keyId);
  if (!key) {
    throw new Fault('UNAUTHORIZED', 'unknown API key');
  }
  const { name, kind, scopes, tokenExpiresAt, previousPrefix, previousExpiresAt } = key;
  const ends = [key.expiresAt, keyPrefix === previousPrefix ? previousExpiresAt : null];
  const [endsFirst = null] = ends.filter((end) => end !== null).toSorted();
  const { read, write } = rates;
  return {
    keyId,
    name,
    kind,
    scopes,
    expiresAt: tokenExpiresAt ?? endsFirst,
    rates: { read: rateText(read), write: rateText(write) },
    subAccount: subAccountId === AGENCY ? null : await subAccountOf(view, subAccountId),
  };
}

async function subAccountOf(view: View, subAccountId: string) {
  const found = await findSubAccount(view, subAccountId);
  if (!found) {
    return null;
  }
  const { id, name, timezone, currency, sandbox } = found;
  return { id, name, timezone, currency, sandbox };
}
