import { AGENCY } from '#lib/id.ts';
import { inviteAs, SAME_ORIGIN, signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const SUB_ACCOUNTS = '/console/api/agency/sub-accounts';
const USERS = '/console/api/agency/users';
const KEYS = '/console/api/agency/keys';
const TRIAL = { name: 'Trial', timezone: 'Europe/Lisbon', currency: 'EUR', sandbox: true };

/** The events of the agency and of a sub-account. */
const eventsOf = ({ database, subAccountId }: TestService, of = subAccountId) =>
  database.rows(
    `select name from (
       select sub_account_id, name from outbox union all select sub_account_id, name from events
     ) as e where sub_account_id = any ($1)`,
    [[AGENCY, of]],
  );

const auditOf = ({ database }: TestService, recordId: string) =>
  database.rows<{ subAccountId: string; operation: string; actor: string }>(
    `select sub_account_id as "subAccountId", operation, actor from audit_entries
     where record_id = $1 order by at`,
    [recordId],
  );

describe('a new sub-account', () => {
  test('is created in its own name, fires nothing, and the owner works in it at once', async ({
    service,
  }) => {
    const owner = await signInAs(service, 'owner');
    const { status, body } = await owner.call(`POST ${SUB_ACCOUNTS}`, { body: TRIAL });
    expect([status, body.data]).toMatchObject([201, { ...TRIAL, deletedAt: null }]);
    const { id } = body.data;
    expect(await auditOf(service, id)).toEqual([
      { subAccountId: id, operation: 'agency.create-sub-account', actor: owner.email },
    ]);
    expect(await eventsOf(service, id)).toEqual([]);
    const session = await owner.call('GET /console/api/session');
    expect(session.body.data.memberships).toContainEqual(
      expect.objectContaining({ subAccountId: id, sandbox: true, role: 'owner' }),
    );
    const list = await owner.call(`GET ${SUB_ACCOUNTS}`);
    expect(list.body.data[0]).toMatchObject({ id, name: 'Trial' });
    const headers = { 'x-sub-account-id': id };
    const contact = { firstName: 'Ada', lastName: 'Lovelace' };
    const created = await owner.call('POST /console/api/v1/contacts', { headers, body: contact });
    expect(created.status).toBe(201);
  });

  test('is created once for one idempotency key', async ({ service }) => {
    const owner = await signInAs(service, 'owner');
    const other = await signInAs(service, 'owner');
    const create = (by: typeof owner, body: object = TRIAL) =>
      by.call(`POST ${SUB_ACCOUNTS}`, { body, headers: { 'idempotency-key': 'once' } });
    const [first, again] = [await create(owner), await create(owner)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await create(owner, { name: 'Another' })).status).toBe(422);
    const theirs = await create(other);
    expect(theirs.body.data.id).not.toBe(first.body.data.id);
    const refused = await owner.call(`POST ${SUB_ACCOUNTS}`, { body: { name: '' } });
    expect(refused.status).toBe(400);
  });
});

describe('closing a sub-account', () => {
  test('needs its name, ends its keys, and fires nothing', async ({ service }) => {
    const { database, subAccountId, call } = service;
    const owner = await signInAs(service, 'owner');
    const close = (name: string) =>
      owner.call('POST /console/api/v1/sub-account/close', { body: { name } });
    const refused = await close('Harbor');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const [row] = await database.rows<{ name: string }>(
      'select name from sub_accounts where id = $1',
      [subAccountId],
    );
    const closed = await close(row?.name ?? '');
    expect(closed.body.data).toEqual({ id: subAccountId, closed: true });
    expect((await call('GET /api/v1/contacts')).body.error.code).toBe('KEY_REVOKED');
    expect(await eventsOf(service)).toEqual([]);
    const list = await owner.call(`GET ${SUB_ACCOUNTS}`);
    expect(list.body.data.map(({ id }: { id: string }) => id)).not.toContain(subAccountId);
    expect((await owner.call('GET /console/api/v1/contacts')).status).toBe(404);
  });
});

describe('the users of the installation', () => {
  test('are listed; a disabled one is signed out, an enabled one signs in again', async ({
    service,
  }) => {
    const owner = await signInAs(service, 'owner');
    const agent = await signInAs(service, 'agent');
    const { body } = await owner.call(`GET ${USERS}`);
    const row = body.data.find(({ email }: { email: string }) => email === agent.email);
    expect(row).toMatchObject({
      status: 'active',
      isOwner: false,
      memberships: [{ subAccountId: service.subAccountId, role: 'agent' }],
    });
    const change = (body: object, id = row.id) =>
      owner.call(`PATCH ${USERS}/${id}`, { body }).then(({ status, body: { data } }) => {
        return [status, data?.status, data?.isOwner];
      });
    expect(await change({ status: 'disabled' })).toEqual([200, 'disabled', false]);
    expect((await agent.call('GET /console/api/session')).status).toBe(401);
    expect(await change({ status: 'active' })).toEqual([200, 'active', false]);
    expect(await change({ isOwner: true })).toEqual([200, 'active', true]);
    expect(await change({ isOwner: false })).toEqual([200, 'active', false]);
    expect(await auditOf(service, row.id)).toContainEqual({
      subAccountId: AGENCY,
      operation: 'agency.update-user',
      actor: owner.email,
    });
    expect((await change({ status: 'disabled' }, crypto.randomUUID()))[0]).toBe(404);
    expect(await eventsOf(service)).toEqual([]);
  });

  test('an owner cannot lock themselves out', async ({ service }) => {
    const owner = await signInAs(service, 'owner');
    const session = await owner.call('GET /console/api/session');
    const { id } = session.body.data.user;
    for (const body of [{ status: 'disabled' }, { isOwner: false }]) {
      const answer = await owner.call(`PATCH ${USERS}/${id}`, { body });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await owner.call(`GET ${USERS}`)).status).toBe(200);
  });

  test('an invited owner signs in with the link; signing out ends all sessions', async ({
    service,
  }) => {
    const owner = await signInAs(service, 'owner');
    const email = `new-${crypto.randomUUID()}@example.com`;
    const { status, body } = await owner.call(`POST ${USERS}`, { body: { email, name: 'Grace' } });
    expect([status, body.data]).toMatchObject([201, { email, name: 'Grace', isOwner: true }]);
    const signedIn = await service.call('POST /console/api/sign-in/link', {
      key: null,
      headers: SAME_ORIGIN,
      body: { token: body.data.link.split('#')[1] },
    });
    expect(signedIn.status).toBe(200);
    const agent = await signInAs(service, 'agent');
    const users = await owner.call(`GET ${USERS}`);
    const { id } = users.body.data.find((one: { email: string }) => one.email === agent.email);
    expect((await owner.call(`POST ${USERS}/${id}/sign-out`)).status).toBe(200);
    expect((await agent.call('GET /console/api/session')).status).toBe(401);
    expect(await eventsOf(service)).toEqual([]);
  });
});

describe('the keys of the installation', () => {
  test('an agency key works in every live sub-account until it is revoked', async ({ service }) => {
    const owner = await signInAs(service, 'owner');
    const scopes = ['contacts:read'];
    const made = await owner.call(`POST ${KEYS}`, { body: { name: 'Reports', scopes } });
    expect(made.status).toBe(201);
    const { id, key, subAccountId } = made.body.data;
    expect(subAccountId).toBeNull();
    const read = () =>
      fetch(`${service.url}/api/v1/contacts`, {
        headers: { authorization: `Bearer ${key}`, 'x-sub-account-id': service.subAccountId },
      });
    expect((await read()).status).toBe(200);
    const list = await owner.call(`GET ${KEYS}`);
    expect(list.body.data.map((one: { id: string }) => one.id)).toContain(id);
    expect(JSON.stringify(list.body)).not.toContain(key);
    const revoked = await owner.call(`POST ${KEYS}/${id}/revoke`);
    expect(revoked.body.data.state).toBe('revoked');
    await service.noticed();
    expect((await read()).status).toBe(401);
    const own = await owner.call('GET /console/api/v1/keys');
    const [ofSubAccount] = own.body.data;
    expect((await owner.call(`POST ${KEYS}/${ofSubAccount.id}/revoke`)).status).toBe(404);
  });

  test('a sandbox key is refused by live sub-accounts', async ({ service }) => {
    const owner = await signInAs(service, 'owner');
    const body = { name: 'Trials', scopes: ['contacts:read'], sandbox: true };
    const { key } = (await owner.call(`POST ${KEYS}`, { body })).body.data;
    const answer = await fetch(`${service.url}/api/v1/contacts`, {
      headers: { authorization: `Bearer ${key}`, 'x-sub-account-id': service.subAccountId },
    });
    expect(answer.status).toBe(404);
  });
});

test('admins have none of it', async ({ service }) => {
  await inviteAs(service, 'viewer');
  const admin = await signInAs(service, 'admin');
  for (const path of [SUB_ACCOUNTS, USERS, KEYS]) {
    expect((await admin.call(`GET ${path}`)).status).toBe(403);
  }
});
