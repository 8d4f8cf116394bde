import { pino } from 'pino';
import { vi } from 'vitest';
import { AGENCY, newId } from '#lib/id.ts';
import { openDatabase } from '#platform/database/database.ts';
import { createKey } from '../../../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../../../src/accounts/sub-accounts/create-sub-account.ts';
import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { newKeyValue } from '../../../src/accounts/keys/key-value.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const SOON = { timeout: 60_000 };

const PATH = '/api/v1/contacts';

async function answer({ call }: TestService, key: string | null, subAccount?: string) {
  const headers = subAccount === undefined ? {} : { 'x-sub-account-id': subAccount };
  const { status, body } = await call(`GET ${PATH}`, { key, headers });
  return body.error ? `${status} ${body.error.code}` : String(status);
}

async function open({ transact, actor, clock }: TestService, sandbox: boolean) {
  const id = newId(clock());
  await transact(id, actor, (work) => createSubAccount(work, { name: 'Other', sandbox }));
  return id;
}

const issue = async ({ transact, actor }: TestService, owner: string, sandbox = false) =>
  (
    await transact(owner, actor, (work) =>
      createKey(work, { name: 'K', scopes: ['contacts:read'], sandbox }),
    )
  ).key;

/** A statement of another process. */
async function elsewhere({ databaseUrl }: TestService, statement: string, values: unknown[] = []) {
  const log = pino({ level: 'silent' });
  const other = openDatabase({ url: databaseUrl, connections: 1, name: 'other', log });
  await other.rows(statement, values);
  await other.close();
}

describe('an unknown caller', () => {
  test.for([
    ['no key', null],
    ['text that is not a key', 'hello'],
    ['a key with a typo', `${newKeyValue('live').key.slice(0, -1)}!`],
    ['an unknown key', newKeyValue('live').key],
    ['an unknown agency key', newKeyValue('agency_live').key],
  ] as const)('is refused with %s', async ([, key], { service }) => {
    expect(await answer(service, key)).toBe('401 UNAUTHORIZED');
  });

  test('is refused with a key in another scheme', async ({ service }) => {
    const authorization = `Basic ${service.keys.full}`;
    const { status } = await service.call(`GET ${PATH}`, { key: null, headers: { authorization } });
    expect(status).toBe(401);
  });
});

describe('the key of a sub-account', () => {
  test('needs no header, and accepts its own id there', async ({ service }) => {
    const { keys, subAccountId } = service;
    expect(await answer(service, keys.full)).toBe('200');
    expect(await answer(service, keys.full, subAccountId.toUpperCase())).toBe('200');
    expect(await answer(service, keys.full, '')).toBe('200');
  });

  test.for(['foreign', 'unknown', 'malformed'] as const)(
    'cannot name another sub-account in the header: %s',
    async (which, { service }) => {
      const id = {
        foreign: service.otherSubAccountId,
        unknown: newId(new Date()),
        malformed: 'x',
      };
      expect(await answer(service, service.keys.full, id[which])).toBe('404 NOT_FOUND');
    },
  );
});

describe('an agency key', () => {
  test.for([
    ['live', 'live', '200'],
    ['live', 'sandbox', '404 NOT_FOUND'],
    ['test', 'live', '404 NOT_FOUND'],
    ['test', 'sandbox', '200'],
  ] as const)(
    'of kind %s, for a %s sub-account, gets %s',
    async ([kind, world, expected], { service }) => {
      const key = await issue(service, AGENCY, kind === 'test');
      const id = await open(service, world === 'sandbox');
      expect(await answer(service, key, id)).toBe(expected);
      expect(await answer(service, key, id.toUpperCase())).toBe(expected);
    },
  );

  test('must name a sub-account, and the refusal says so', async ({ service }) => {
    const { body } = await service.call(`GET ${PATH}`, { key: 'agency' });
    expect(body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('required for agency keys'),
      details: { issues: [{ in: 'header', path: '/X-Sub-Account-Id' }] },
    });
    expect(await answer(service, service.keys.agency, '')).toBe('400 VALIDATION_ERROR');
  });

  test('returns the same error for an unknown, a malformed, the agency’s and a deleted id', async ({
    service,
  }) => {
    const { keys, transact, actor } = service;
    const gone = await open(service, false);
    await transact(gone, actor, deleteSubAccount);
    const answers = await Promise.all(
      [newId(new Date()), 'nonsense', "' or true --", AGENCY, gone].map(async (id) => {
        const headers = { 'x-sub-account-id': id };
        return (await service.call(`GET ${PATH}`, { key: keys.agency, headers })).body;
      }),
    );
    for (const body of answers) {
      expect(body).toEqual({ error: { code: 'NOT_FOUND', message: 'sub-account not found' } });
    }
  });

  test('lists the live sub-accounts of its kind without header or scope', async ({ service }) => {
    const { call, transact, actor, keys } = service;
    const gone = await open(service, false);
    await transact(gone, actor, deleteSubAccount);
    const sandbox = await open(service, true);
    const idsOf = async (key: string) => {
      const { body } = await call('GET /api/v1/sub-accounts', { key });
      return (body.data as { id: string }[]).map(({ id }) => id);
    };
    const live = await idsOf(keys.agency);
    expect(live).toContain(service.subAccountId);
    expect(live).not.toContain(gone);
    expect(live).not.toContain(sandbox);
    expect(await idsOf(await issue(service, AGENCY, true))).toContain(sandbox);
    expect((await call('GET /api/v1/sub-accounts', { key: 'full' })).body.error.code).toBe(
      'FORBIDDEN',
    );
  });
});

describe('a change by another process applies', () => {
  const revoke = (service: TestService, prefix: string) =>
    elsewhere(service, 'update api_keys set revoked_at = now() where prefix = $1', [prefix]);

  test('within moments in a process that listens; until then, no query is needed', async ({
    service,
  }) => {
    await vi.waitFor(() => expect(service.changes.isListening).toBe(true), SOON);
    const key = await issue(service, service.subAccountId);
    await answer(service, key);
    await revoke(service, key.slice(0, 12));

    await vi.waitFor(async () => expect(await answer(service, key)).toBe('401 KEY_REVOKED'), {
      timeout: 60_000,
      interval: 5,
    });
  });

  test('to the next request while notifications are lost', async ({ service }) => {
    const key = await issue(service, service.subAccountId);
    await vi.waitFor(() => expect(service.changes.isListening).toBe(true), { timeout: 60_000 });
    expect(await answer(service, key)).toBe('200');
    await elsewhere(
      service,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'frontdesk listen' and datname = current_database()`,
    );
    await vi.waitFor(() => expect(service.changes.isListening).toBe(false), {
      ...SOON,
      interval: 1,
    });
    await revoke(service, key.slice(0, 12));
    expect(await answer(service, key)).toBe('401 KEY_REVOKED');

    await vi.waitFor(() => expect(service.changes.isListening).toBe(true), { timeout: 60_000 });
    expect(await answer(service, key)).toBe('401 KEY_REVOKED');
  });

  test('to a deleted sub-account that an agency key reached before', async ({ service }) => {
    const { keys, subAccountId } = service;
    expect(await answer(service, keys.agency, subAccountId)).toBe('200');
    await elsewhere(service, 'update sub_accounts set deleted_at = now() where id = $1', [
      subAccountId,
    ]);
    const refused = () =>
      vi.waitFor(
        async () => expect(await answer(service, keys.agency, subAccountId)).toBe('404 NOT_FOUND'),
        SOON,
      );
    await refused();
    expect(await answer(service, keys.full)).toBe('401 KEY_REVOKED');
  });
});

test('the last use of a key is stored', async ({ service }) => {
  const { database, keys } = service;
  await answer(service, keys.full);
  const used = () =>
    database.rows('select 1 from api_keys where prefix = $1 and last_used_at is not null', [
      keys.full.slice(0, 12),
    ]);
  await vi.waitFor(async () => expect(await used()).toHaveLength(1), { timeout: 60_000 });
});
