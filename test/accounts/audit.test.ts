import { AGENCY } from '#lib/id.ts';
import type { Actor } from '#core/work.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import { findAudit } from '../../src/accounts/audit/find-audit.ts';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { setKeyScopes } from '../../src/accounts/keys/set-key-scopes.ts';
import { updateSubAccount } from '../../src/accounts/sub-accounts/update-sub-account.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const ANNA: Actor = {
  kind: 'cli',
  name: 'anna',
  requestId: 'request-1',
  operation: 'admin key create',
};

const auditOf = ({ openView, clock }: TestService, subAccountId?: string, limit = 100) =>
  findAudit(openView(AGENCY, clock()), { subAccountId, limit });

const issue = ({ transact }: TestService, owner: string) =>
  transact(owner, ANNA, (work) => createKey(work, { name: 'Audited', scopes: ['tasks:read'] }));

describe('an audit row', () => {
  test('has actor, operation, record, time and request', async ({ service }) => {
    const { apiKey } = await issue(service, service.subAccountId);
    const [row] = await auditOf(service, service.subAccountId);

    expect(row).toEqual({
      id: expect.any(String),
      at: apiKey.createdAt.toISOString(),
      operation: 'admin key create',
      actorKind: 'cli',
      actor: 'anna',
      keyPrefix: null,
      client: null,
      requestId: 'request-1',
      recordId: apiKey.id,
      subAccountId: service.subAccountId,
      changes: null,
    });
  });

  test('of a change through the API names the key and the request id of the response', async ({
    service,
  }) => {
    const { headers, body } = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    const [row] = await auditOf(service, service.subAccountId);

    expect(row).toMatchObject({
      actorKind: 'key',
      keyPrefix: service.keys.full.slice(0, 'sk_live_'.length + 4),
      requestId: headers.get('x-request-id'),
      recordId: body.data.id,
    });
  });

  test('of agency-wide work belongs to no sub-account', async ({ service }) => {
    const { apiKey } = await issue(service, AGENCY);
    const [row] = await auditOf(service);

    expect(row).toMatchObject({ recordId: apiKey.id, subAccountId: null });
    expect(await auditOf(service, service.subAccountId)).not.toContainEqual(row);
  });

  test('is not written for a refused change or a change without effect', async ({ service }) => {
    const { subAccountId, transact } = service;
    const { apiKey } = await issue(service, subAccountId);
    const keyId = apiKey.id;
    await transact(subAccountId, ANNA, (work) => revokeKey(work, { keyId }));
    const before = await auditOf(service, subAccountId);

    await transact(subAccountId, ANNA, (work) => revokeKey(work, { keyId }));
    await transact(subAccountId, ANNA, (work) => updateSubAccount(work, {}));
    const refused = transact(subAccountId, ANNA, (work) =>
      setKeyScopes(work, { keyId, scopes: ['tasks:write'] }),
    );
    await expect(refused).rejects.toThrow('revoked');
    expect(await auditOf(service, subAccountId)).toEqual(before);
  });
});

test('changes are listed newest first, up to the limit', async ({ service }) => {
  const first = await issue(service, service.subAccountId);
  const second = await issue(service, service.subAccountId);

  const ids = (await auditOf(service, service.subAccountId, 2)).map(({ recordId }) => recordId);
  expect(ids).toEqual([second.apiKey.id, first.apiKey.id]);
});

describe('the audit log is searched', () => {
  const search = ({ openView, clock }: TestService, filter: object) =>
    findAudit(openView(AGENCY, clock()), { limit: 100, ...filter });

  test('by request, key, record and time, in one sub-account and in all', async ({ service }) => {
    const { headers, body } = await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    const requestId = headers.get('x-request-id') ?? '';
    const [found] = await search(service, { requestId });
    const actor = found?.actor;
    const keyPrefix = found?.keyPrefix;
    const { apiKey } = await issue(service, service.subAccountId);
    for (const within of [{}, { subAccountId: service.subAccountId }]) {
      const idsOf = async (filter: object) =>
        (await search(service, { ...filter, ...within })).map(({ recordId }) => recordId);
      expect(await idsOf({ requestId })).toEqual([body.data.id]);
      expect(await idsOf({ key: actor })).toContain(body.data.id);
      expect(await idsOf({ key: keyPrefix })).toContain(body.data.id);
      expect(await idsOf({ key: keyPrefix })).not.toContain(apiKey.id);
      expect(await idsOf({ recordId: apiKey.id })).toEqual([apiKey.id]);
      expect(await idsOf({ key: 'anna' })).toEqual([]);
      const later = new Date(apiKey.createdAt.getTime() + 1);
      expect(await idsOf({ since: later })).toEqual([]);
      expect(await idsOf({ since: apiKey.createdAt })).toContain(apiKey.id);
      expect(await idsOf({ until: apiKey.createdAt })).not.toContain(apiKey.id);
      expect(await idsOf({ operation: 'contacts.create' })).toContain(body.data.id);
      expect(await idsOf({ operation: 'contacts.delete' })).toEqual([]);
      expect(await idsOf({ operation: 'create' })).toContain(body.data.id);
      expect(await idsOf({ operation: '%' })).toEqual([]);
    }
  });
});
