import { createKey } from '../../src/accounts/keys/create-key.ts';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { setKeyRates, type KeyRates } from '../../src/accounts/keys/set-key-rates.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const issue = async ({ transact, actor, subAccountId }: TestService) => {
  const { apiKey, key } = await transact(subAccountId, actor, (work) =>
    createKey(work, { name: 'Website', scopes: ['contacts:read'], rateRead: '900/1m' }),
  );
  return { id: apiKey.id, key };
};

describe('changing the rates of a key', () => {
  const change = (service: TestService, keyId: string, rates: Omit<KeyRates, 'keyId'>) =>
    service.transact(service.subAccountId, service.actor, (work) =>
      setKeyRates(work, { keyId, ...rates }),
    );
  const ratesOf = async ({ call }: TestService, key: string) =>
    (await call('GET /api/v1/me', { key })).body.data?.rates;

  test('applies to its next calls, fires nothing, and null is the rate of the installation', async ({
    service,
  }) => {
    const { id, key } = await issue(service);
    const usual = await ratesOf(service, key);
    await change(service, id, { rateWrite: '7/1m' });
    await expect.poll(() => ratesOf(service, key)).toEqual({ ...usual, write: '7/1m' });
    await change(service, id, { rateWrite: null });
    await expect.poll(() => ratesOf(service, key)).toEqual(usual);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses what is no rate, and a revoked key', async ({ service }) => {
    const { id } = await issue(service);
    await expect(change(service, id, { rateRead: 'often' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await service.transact(service.subAccountId, service.actor, (work) =>
      revokeKey(work, { keyId: id }),
    );
    await expect(change(service, id, { rateRead: '1/1m' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
