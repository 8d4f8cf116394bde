import { DEFAULT_POLICY } from '#core/agent.ts';
import { vi } from 'vitest';
import { AGENCY, newId } from '#lib/id.ts';
import { createKey, type NewKey } from '../../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { findKey, findKeys } from '../../src/accounts/keys/api-key.store.ts';
import { findAudit } from '../../src/accounts/audit/find-audit.ts';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { rotateKey } from '../../src/accounts/keys/rotate-key.ts';
import { setKeyScopes } from '../../src/accounts/keys/set-key-scopes.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const KEY: NewKey = { name: 'Website', scopes: ['contacts:read'] };

async function issue(
  service: TestService,
  given: Partial<NewKey> = {},
  owner = service.subAccountId,
) {
  const { apiKey, key } = await service.transact(owner, service.actor, (work) =>
    createKey(work, { ...KEY, ...given }),
  );
  return { id: apiKey.id, key };
}

/** Returns status and code of a call with the key. */
async function answer({ call }: TestService, key: string, path = '/api/v1/contacts') {
  const { status, body } = await call(`GET ${path}`, { key });
  return body.error ? `${status} ${body.error.code}` : String(status);
}

/** Processes are notified of changes within moments; tests wait no longer than this. */
const soon = (service: TestService, key: string, expected: string, path?: string) =>
  vi.waitFor(async () => expect(await answer(service, key, path)).toBe(expected), {
    timeout: 60_000,
    interval: 5,
  });

const show = ({ openView, clock }: TestService, id: string) =>
  findKey(openView(AGENCY, clock()), id);

describe('a new key', () => {
  test.for([
    ['live', false, false],
    ['test', false, true],
    ['agency_live', true, false],
    ['agency_test', true, true],
  ] as const)(
    'is of kind %s if agency is %s and sandbox is %s',
    async ([kind, isAgency, sandbox], { service }) => {
      const { transact, actor, clock } = service;
      const owner = isAgency ? AGENCY : newId(clock());
      if (!isAgency) {
        await transact(owner, actor, (work) => createSubAccount(work, { name: 'World', sandbox }));
      }
      const { id, key } = await issue(service, isAgency ? { sandbox } : {}, owner);

      expect(key.startsWith(`sk_${kind}_`)).toBe(true);
      expect(await show(service, id)).toEqual({
        id,
        name: 'Website',
        agentPolicy: DEFAULT_POLICY,
        kind,
        prefix: key.slice(0, `sk_${kind}_`.length + 4),
        scopes: ['contacts:read'],
        state: 'active',
        expiresAt: null,
        lastUsedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        subAccountId: isAgency ? null : owner,
        rateRead: null,
        rateWrite: null,
        previousExpiresAt: null,
        previousPrefix: null,
        previousUsedAt: null,
        clientId: null,
        grantedBy: null,
        tokenExpiresAt: null,
      });
    },
  );

  test('is not stored in the database', async ({ service }) => {
    const { key } = await issue(service);
    const found = await service.database.rows(
      'select 1 from api_keys k where k::text like $1 or k::text like $2',
      [`%${key}%`, `%${key.slice(-40)}%`],
    );
    expect(found).toEqual([]);
  });

  test('cannot be issued to an unknown sub-account', async ({ service }) => {
    await expect(issue(service, {}, newId(service.clock()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('has its own rates', async ({ service }) => {
    const { key } = await issue(service, { rateRead: '2/1h' });
    const { headers } = await service.call('GET /api/v1/contacts', { key });
    expect(headers.get('x-ratelimit-limit')).toBe('2');
    expect(await answer(service, key)).toBe('200');
    expect(await answer(service, key)).toBe('429 RATE_LIMITED');
  });
});

describe('the scopes of a key', () => {
  test('are replaced in place and at once', async ({ service }) => {
    const { id, key } = await issue(service);
    expect(await answer(service, key)).toBe('200');
    await service.transact(service.subAccountId, service.actor, (work) =>
      setKeyScopes(work, { keyId: id, scopes: ['tasks:read', 'contacts:write'] }),
    );

    await soon(service, key, '403 FORBIDDEN');
    expect(await show(service, id)).toMatchObject({ scopes: ['tasks:read', 'contacts:write'] });
  });

  test('cannot be changed for a revoked key', async ({ service }) => {
    const { id } = await issue(service);
    const { transact, actor, subAccountId } = service;
    await transact(subAccountId, actor, (work) => revokeKey(work, { keyId: id }));

    const change = transact(subAccountId, actor, (work) =>
      setKeyScopes(work, { keyId: id, scopes: ['tasks:read'] }),
    );
    await expect(change).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('rotating a key', () => {
  const rotate = (
    { transact, actor, subAccountId }: TestService,
    keyId: string,
    graceMs?: number,
  ) => transact(subAccountId, actor, (work) => rotateKey(work, { keyId, graceMs }));

  test('without grace ends the old value at once', async ({ service }) => {
    const { id, key: old } = await issue(service);
    expect(await answer(service, old)).toBe('200');
    const { key } = await rotate(service, id);

    expect(await answer(service, key)).toBe('200');
    await soon(service, old, '401 KEY_REVOKED');
    expect(await show(service, id)).toMatchObject({ state: 'active', previousExpiresAt: null });
  });

  test('with grace keeps both values working until it ends', async ({ service }) => {
    const { id, key: old } = await issue(service);
    const { key } = await rotate(service, id, HOUR_MS);

    expect([await answer(service, old), await answer(service, key)]).toEqual(['200', '200']);
    service.clock.advance(HOUR_MS);
    expect([await answer(service, old), await answer(service, key)]).toEqual([
      '401 KEY_REVOKED',
      '200',
    ]);
  });

  test('names each request by the value that was used, and says until when the old one works', async ({
    service,
  }) => {
    const scopes = ['contacts:write'] as const;
    const { id, key: old } = await issue(service, { scopes: [...scopes] });
    const { key } = await rotate(service, id, HOUR_MS);
    const prefixOf = (value: string) => value.slice(0, 'sk_live_'.length + 4);
    const create = async (value: string) => {
      const body = { firstName: 'Ada', lastName: 'Lovelace' };
      const { status, body: created } = await service.call('POST /api/v1/contacts', {
        key: value,
        body,
      });
      expect(status).toBe(201);
      const [entry] = await findAudit(service.openView(AGENCY, service.clock()), {
        recordId: created.data.id,
        limit: 1,
      });
      return entry?.keyPrefix;
    };
    expect([await create(old), await create(key)]).toEqual([prefixOf(old), prefixOf(key)]);
    const used = async () => (await show(service, id))?.previousUsedAt ?? '';
    await expect.poll(used, { timeout: 60_000 }).toMatch(/^20/);
    const row = await show(service, id);
    expect(row).toMatchObject({
      prefix: prefixOf(key),
      previousPrefix: prefixOf(old),
      previousExpiresAt: expect.stringMatching(/^20/),
    });
    expect((row?.lastUsedAt ?? '') >= (await used())).toBe(true);
  });

  test('says after the grace that the value was replaced, not that the key was revoked', async ({
    service,
  }) => {
    const { id, key: old } = await issue(service);
    await rotate(service, id, HOUR_MS);
    service.clock.advance(HOUR_MS);
    const { body } = await service.call('GET /api/v1/contacts', { key: old });
    expect(body.error).toMatchObject({
      code: 'KEY_REVOKED',
      message: 'this value of the API key was replaced; use its new value',
    });
  });

  test('twice keeps one old value: the oldest stops working', async ({ service }) => {
    const { id, key: first } = await issue(service);
    const { key: second } = await rotate(service, id, HOUR_MS);
    const { key: third } = await rotate(service, id, HOUR_MS);

    await soon(service, first, '401 UNAUTHORIZED');
    expect([await answer(service, second), await answer(service, third)]).toEqual(['200', '200']);
  });

  test('concurrently runs one after the other, so that every value has worked', async ({
    service,
  }) => {
    const { id } = await issue(service);
    const both = await Promise.all([rotate(service, id, HOUR_MS), rotate(service, id, HOUR_MS)]);

    for (const { key } of both) {
      expect(await answer(service, key)).toBe('200');
    }
  });

  test('is refused once the key is revoked, expired, or its sub-account deleted', async ({
    service,
  }) => {
    const { transact, actor, subAccountId, clock } = service;
    const revoked = await issue(service);
    const expired = await issue(service, { expiresAt: new Date(clock().getTime() + 1_000) });
    const orphan = await issue(service);
    await transact(subAccountId, actor, (work) => revokeKey(work, { keyId: revoked.id }));
    clock.advance(2_000);

    for (const { id } of [revoked, expired]) {
      await expect(rotate(service, id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    await transact(subAccountId, actor, deleteSubAccount);
    await expect(rotate(service, orphan.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a key ends', () => {
  test('when it is revoked, and a second revocation changes nothing', async ({ service }) => {
    const { transact, actor, subAccountId } = service;
    const { id, key } = await issue(service);
    expect(await answer(service, key)).toBe('200');
    const revoke = () => transact(subAccountId, actor, (work) => revokeKey(work, { keyId: id }));
    await revoke();
    await soon(service, key, '401 KEY_REVOKED');

    const when = () => service.database.rows('select revoked_at from api_keys where id = $1', [id]);
    const before = await when();
    await revoke();
    expect(await when()).toEqual(before);
    expect(await show(service, id)).toMatchObject({ state: 'revoked' });
  });

  test('when it expires; revoked after that, it counts as revoked', async ({ service }) => {
    const { clock, transact, actor, subAccountId } = service;
    const { id, key } = await issue(service, { expiresAt: new Date(clock().getTime() + 60_000) });
    expect(await answer(service, key)).toBe('200');
    clock.advance(60_001);

    expect(await answer(service, key)).toBe('401 KEY_EXPIRED');
    expect(await show(service, id)).toMatchObject({ state: 'expired' });
    await transact(subAccountId, actor, (work) => revokeKey(work, { keyId: id }));
    await soon(service, key, '401 KEY_REVOKED');
  });

  test('when its sub-account is deleted', async ({ service }) => {
    const { transact, actor, subAccountId, keys, openView, clock } = service;
    expect(await answer(service, keys.full)).toBe('200');
    await transact(subAccountId, actor, deleteSubAccount);

    await soon(service, keys.full, '401 KEY_REVOKED');
    const rows = await findKeys(openView(AGENCY, clock()), subAccountId);
    expect(rows.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  });
});

test('a key can be changed only in the name of its owner', async ({ service }) => {
  const { transact, actor, otherSubAccountId } = service;
  const { id } = await issue(service);

  for (const owner of [otherSubAccountId, AGENCY]) {
    const change = transact(owner, actor, (work) => revokeKey(work, { keyId: id }));
    await expect(change).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});
