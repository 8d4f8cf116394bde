import { Client } from 'pg';
import { vi } from 'vitest';
import { AGENCY } from '#lib/id.ts';
import { disableUser } from '../../src/accounts/sign-in/end-sessions.ts';
import { setRole } from '../../src/accounts/users/set-role.ts';
import { loadUser } from '../../src/accounts/users/user.store.ts';
import { WAITING_FOR_ME } from '../support/locks.ts';
import { describe, expect, OPERATOR, test } from '../support/service.ts';
import { connectAgent } from './agents.support.ts';
import {
  allow,
  authorize,
  connected,
  endOf,
  openClient,
  openOauthServer,
  openProgram,
  sealedIn,
  signInThere,
} from './oauth.support.ts';

const WAIT = { timeout: 10_000 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PERSON = { firstName: 'Ada', lastName: 'Byron' };

describe('a program that a user allowed', () => {
  test('gets a key of its own with the chosen scopes and policy', async ({ service }) => {
    const { tokens, call, admin, program } = await connected(service);
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: expect.toSatisfy((value: number) => value > 3_590 && value <= 3_600),
      scope: 'contacts:read contacts:write',
    });
    expect(tokens.access_token).toMatch(/^sk_oauth_live_[\dA-Za-z]{49}$/);
    const me = await call('GET /api/v1/me', { key: tokens.access_token });
    expect(me.body.data).toMatchObject({
      kind: 'oauth_live',
      name: 'Harbour Helper',
      scopes: ['contacts:read', 'contacts:write'],
      subAccount: { id: service.subAccountId },
    });
    const seconds = (Date.parse(me.body.data.expiresAt) - service.clock().getTime()) / 1_000;
    expect(seconds).toBeGreaterThan(3_590);
    expect(seconds).toBeLessThanOrEqual(3_600);
    const { body } = await admin.call('GET /console/api/v1/keys');
    expect(body.data[0]).toMatchObject({
      id: me.body.data.keyId,
      kind: 'oauth_live',
      state: 'active',
      clientId: program.clientId,
      grantedBy: admin.email,
      agentPolicy: { tells: 'allow', destroys: 'ask', mass: 'deny' },
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('calls the tools of its scopes, and is audited under its key', async ({ service }) => {
    const { tokens, url } = await connected(service);
    const { client, call } = await connectAgent(url, tokens.access_token);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'find_contact',
      'get_contact',
      'save_contact',
      'find_action',
      'run_action',
    ]);
    const saved = await call('save_contact', PERSON);
    expect(saved.isError).toBe(false);
    const [entry] = await service.database.rows<{ actor_kind: string; key_prefix: string }>(
      'select actor_kind, key_prefix from audit_entries where record_id = $1',
      [saved.content.data.id],
    );
    expect(entry).toMatchObject({
      actor_kind: 'agent',
      key_prefix: tokens.access_token.slice(0, 18),
    });
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('does nothing through the API that its policy does not allow', async ({ service }) => {
    const { tokens, call } = await connected(service);
    const key = tokens.access_token;
    const created = await call('POST /api/v1/contacts', { key, body: PERSON });
    expect(created.status).toBe(201);
    const id = created.body.data.id;
    const refused = await call(`DELETE /api/v1/contacts/${id}`, { key });
    expect([refused.status, refused.body.error.details]).toEqual([
      403,
      { reason: 'denied_by_policy', risk: 'destroys' },
    ]);
    expect(refused.body.error.message).toContain('a person must approve it');
    expect((await call('GET /api/v1/tasks', { key })).status).toBe(403);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('of a sandbox gets a key of the sandbox', async ({ service }) => {
    await service.database.rows('update sub_accounts set sandbox = true where id = $1', [
      service.subAccountId,
    ]);
    await service.noticed();
    const { tokens } = await connected(service);
    expect(tokens.access_token).toMatch(/^sk_oauth_test_/);
  });

  test('keeps access with refresh tokens, whose use ends the hour of the old tokens only', async ({
    service,
  }) => {
    const { client, tokens, call } = await connected(service);
    service.clock.advance(HOUR_MS / 2);
    const next = await client.refresh(tokens.refresh_token ?? '');
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    const statusOf = async (key: string) => (await call('GET /api/v1/me', { key })).status;
    expect([await statusOf(tokens.access_token), await statusOf(next.access_token)]).toEqual([
      200, 200,
    ]);
    service.clock.advance(HOUR_MS / 2);
    expect([await statusOf(tokens.access_token), await statusOf(next.access_token)]).toEqual([
      401, 200,
    ]);
    service.clock.advance(HOUR_MS / 2);
    const late = await call('GET /api/v1/me', { key: next.access_token });
    expect(late.body.error.code).toBe('KEY_EXPIRED');
    service.clock.advance(29 * DAY_MS);
    const last = await client.refresh(next.refresh_token ?? '');
    expect(await statusOf(last.access_token)).toBe(200);
    service.clock.advance(30 * DAY_MS);
    await expect(client.refresh(last.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('loses access when it revokes one of its tokens', async ({ service }) => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const { client, tokens, call } = await connected(service);
      await client.revoke('unknown');
      await client.revoke(tokens[name] ?? '');
      expect(await endOf(call, tokens.access_token)).toBe('KEY_REVOKED');
      await expect(client.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
  });

  test('loses access when an admin revokes its key, which cannot be rotated', async ({
    service,
  }) => {
    const { client, tokens, call, admin } = await connected(service);
    const { keyId } = (await call('GET /api/v1/me', { key: tokens.access_token })).body.data;
    const rotated = await admin.call(`POST /console/api/v1/keys/${keyId}/rotate`);
    expect(rotated.status).toBe(400);
    await admin.call(`POST /console/api/v1/keys/${keyId}/revoke`);
    expect(await endOf(call, tokens.access_token)).toBe('KEY_REVOKED');
    await expect(client.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test.for(['disabled', 'an agent', 'removed'] as const)(
    'loses access for good when the user is %s',
    async (what, { service }) => {
      const { client, tokens, call, admin } = await connected(service);
      const statusOf = async () =>
        (await call('GET /api/v1/me', { key: tokens.access_token })).status;
      expect(await statusOf()).toBe(200);
      const isDisabled = what === 'disabled';
      const of = isDisabled ? AGENCY : service.subAccountId;
      await service.transact(of, OPERATOR, async (work) => {
        const user = await loadUser(work, admin.email);
        await (isDisabled
          ? disableUser(work, user)
          : setRole(work, user, what === 'an agent' ? 'agent' : null));
      });
      expect(await endOf(call, tokens.access_token)).toBe('KEY_REVOKED');
      await service.transact(service.subAccountId, OPERATOR, async (work) =>
        setRole(work, await loadUser(work, admin.email), 'admin'),
      );
      expect(await statusOf()).toBe(401);
      await expect(client.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('gets none while the role of the user ends', async ({ service }) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const admin = await signInThere(there, 'admin');
    const client = await openClient(url, program);
    const { location } = await authorize(url, admin, client.parameters);
    const { body } = await allow(admin, sealedIn(location));
    const ending = new Client({ connectionString: service.databaseUrl });
    await ending.connect();
    await ending.query('begin');
    const { rows } = await ending.query('select id from users where email = $1 for update', [
      admin.email,
    ]);
    await ending.query('delete from memberships where user_id = $1', [rows[0].id]);
    const redeemed = client.redeem(body.data.redirectTo);
    const refused = expect(redeemed).rejects.toMatchObject({ error: 'invalid_grant' });
    await vi.waitFor(
      async () => expect((await ending.query(WAITING_FOR_ME)).rowCount).toBe(1),
      WAIT,
    );
    await ending.query('commit');
    await ending.end();
    await refused;
  });

  test('of an owner loses access when the user is no owner any more', async ({ service }) => {
    const program = await openProgram();
    const { url, call, there } = await openOauthServer(service);
    const owner = await signInThere(there, 'owner');
    const client = await openClient(url, program);
    const { location } = await authorize(url, owner, client.parameters);
    const { body } = await allow(owner, sealedIn(location));
    const { access_token: key } = await client.redeem(body.data.redirectTo);
    expect((await call('GET /api/v1/me', { key })).status).toBe(200);
    await service.transact(AGENCY, OPERATOR, async (work) =>
      setRole(work, await loadUser(work, owner.email), null),
    );
    expect(await endOf(call, key)).toBe('KEY_REVOKED');
  });
});
