import { AGENCY } from '#lib/id.ts';
import { findKey } from '../../../src/accounts/keys/api-key.store.ts';
import { createKey } from '../../../src/accounts/keys/create-key.ts';
import { rotateKey } from '../../../src/accounts/keys/rotate-key.ts';
import { expect, test } from '../../support/service.ts';

const HOUR_MS = 3_600_000;

test('a value that was replaced unused shows no use of the value before it', async ({
  service,
}) => {
  const { transact, subAccountId, actor, openView, clock, database } = service;
  const {
    apiKey: { id: keyId },
  } = await transact(subAccountId, actor, (work) =>
    createKey(work, { name: 'Website', scopes: ['contacts:read'] }),
  );
  const usedAt = clock();
  await database.rows('update api_keys set last_used_at = $2 where id = $1', [keyId, usedAt]);
  const rotate = async () => {
    await transact(subAccountId, actor, (work) => rotateKey(work, { keyId, graceMs: HOUR_MS }));
    return (await findKey(openView(AGENCY, clock()), keyId))?.previousUsedAt;
  };
  expect(await rotate()).toBe(usedAt.toISOString());
  expect(await rotate()).toBeNull();
});

test('a replaced value learns from /me when it ends', async ({ service }) => {
  const { transact, subAccountId, actor, call, openView, clock } = service;
  const created = await transact(subAccountId, actor, (work) =>
    createKey(work, { name: 'Website', scopes: ['contacts:read'] }),
  );
  const { id: keyId } = created.apiKey;
  const endOf = async (key: string) => (await call('GET /api/v1/me', { key })).body.data.expiresAt;
  expect(await endOf(created.key)).toBeNull();
  const rotated = await transact(subAccountId, actor, (work) =>
    rotateKey(work, { keyId, graceMs: HOUR_MS }),
  );
  const end = (await findKey(openView(AGENCY, clock()), keyId))?.previousExpiresAt;
  expect(end).toEqual(expect.any(String));
  expect(await endOf(created.key)).toBe(end);
  expect(await endOf(rotated.key)).toBeNull();
});
