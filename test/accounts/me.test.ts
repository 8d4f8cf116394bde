import { AGENCY, newId } from '#lib/id.ts';
import { SCOPES } from '#core/scope.ts';
import { createKey, type NewKey } from '../../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const ME = 'GET /api/v1/me';
const HOUR_MS = 3_600_000;

const issue = ({ transact }: TestService, input: NewKey, owner: string) =>
  transact(owner, OPERATOR, (work) => createKey(work, input));

describe('the calling key', () => {
  test('is described with its scopes, its rates, its end and its sub-account', async ({
    service,
  }) => {
    const expiresAt = new Date(service.clock().getTime() + HOUR_MS);
    const { apiKey, key } = await issue(
      service,
      { name: 'Bot', scopes: ['tasks:read'], expiresAt, rateRead: '20/30s', rateWrite: '7/1h' },
      service.subAccountId,
    );

    const { status, body } = await service.call(ME, { key });

    expect([status, body]).toEqual([
      200,
      {
        data: {
          keyId: apiKey.id,
          name: 'Bot',
          kind: 'live',
          scopes: ['tasks:read'],
          expiresAt: expiresAt.toISOString(),
          rates: { read: '20/30s', write: '7/1h' },
          subAccount: {
            id: service.subAccountId,
            name: 'Harbour Dental',
            timezone: 'UTC',
            currency: 'USD',
            sandbox: false,
          },
        },
      },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('has the rates of the installation unless it has its own', async ({ service }) => {
    const { body } = await service.call(ME);

    expect(body.data.rates).toEqual({
      read: expect.stringMatching(/^\d+\/1m$/),
      write: expect.stringMatching(/^\d+\/1m$/),
    });
    expect(body.data).toMatchObject({
      expiresAt: null,
      scopes: expect.arrayContaining([...SCOPES]),
    });
  });

  test('is counted as a read', async ({ service }) => {
    const { key } = await issue(
      service,
      { name: 'Bot', scopes: ['tasks:read'], rateRead: '1/1h' },
      service.subAccountId,
    );

    const statuses = [await service.call(ME, { key }), await service.call(ME, { key })];

    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
  });

  test('of another sub-account is refused to name this one', async ({ service }) => {
    const headers = { 'x-sub-account-id': service.subAccountId };

    const { status, body } = await service.call(ME, { key: 'other', headers });

    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('an agency key', () => {
  test('has no sub-account unless the header names one', async ({ service }) => {
    const { status, body } = await service.call(ME, { key: 'agency' });

    expect([status, body.data]).toMatchObject([200, { kind: 'agency_live', subAccount: null }]);
  });

  test('gets the sub-account that the header names, in any case', async ({ service }) => {
    const headers = { 'x-sub-account-id': service.otherSubAccountId.toUpperCase() };

    const { body } = await service.call(ME, { key: 'agency', headers });

    expect(body.data.subAccount).toMatchObject({
      id: service.otherSubAccountId,
      name: 'Elsewhere',
    });
  });

  test('gets the same 404 for unknown, malformed and sandbox sub-accounts', async ({ service }) => {
    const sandbox = newId(new Date());
    await service.transact(sandbox, OPERATOR, (work) =>
      createSubAccount(work, { name: 'Sandbox', sandbox: true }),
    );

    for (const id of [crypto.randomUUID(), 'no-uuid', AGENCY, sandbox]) {
      const headers = { 'x-sub-account-id': id };
      const { status, body } = await service.call(ME, { key: 'agency', headers });
      expect([id, status, body.error.code]).toEqual([id, 404, 'NOT_FOUND']);
    }
  });
});
