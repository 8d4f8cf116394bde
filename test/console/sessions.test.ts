import { applyTo } from '../workflows/workflows.support.ts';
import { AGENCY } from '#lib/id.ts';
import { disableUser } from '../../src/accounts/sign-in/end-sessions.ts';
import { setRole } from '../../src/accounts/users/set-role.ts';
import { loadUser } from '../../src/accounts/users/user.store.ts';
import { cookieOf, inviteAs, SAME_ORIGIN, signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const signIn = ({ call }: TestService, token: string, headers = {}) =>
  call('POST /console/api/sign-in/link', {
    key: null,
    headers: { ...SAME_ORIGIN, ...headers },
    body: { token },
  });

const HOUR_MS = 3_600_000;

describe('a sign-in link', () => {
  test('opens a session with a cookie that scripts cannot read', async ({ service }) => {
    const { token, userId } = await inviteAs(service, 'agent');
    const answer = await signIn(service, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { userId, subAccountId: service.subAccountId } });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^frontdesk_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const stored = await service.database.rows(
      'select 1 from user_sessions s where s::text like $1',
      [`%${cookieOf(answer).split('=')[1]}%`],
    );
    expect(stored).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('works once, also when it is used twenty times at once', async ({ service }) => {
    const { token } = await inviteAs(service, 'agent');
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(service, token)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
  });

  test('of an invitation works for 24 hours', async ({ service }) => {
    const { token } = await inviteAs(service, 'agent');
    service.clock.advance(24 * HOUR_MS);
    const answer = await signIn(service, token);
    expect(answer.status).toBe(401);
    expect(answer.body.error.message).toContain('request a new one');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('of a disabled user is refused like an unknown one', async ({ service }) => {
    const { token, email } = await inviteAs(service, 'agent');
    await service.transact(AGENCY, OPERATOR, async (work) => {
      (await loadUser(work, email)).disabledAt = work.now;
    });
    const [disabled, unknown] = [await signIn(service, token), await signIn(service, 'unknown')];
    expect(disabled.status).toBe(401);
    expect(disabled.body).toEqual(unknown.body);
  });
});

describe('a session', () => {
  test('names the user and their memberships, with the team member of the same address', async ({
    service,
  }) => {
    await applyTo(service, service.subAccountId, {
      team: [{ key: 'ada', name: 'Dr. Ada', email: 'Ada@Example.com' }],
    });
    const { call, email } = await signInAs(service, 'agent', `ada@example.com`);
    const { body } = await call('GET /console/api/session');
    const [member] = await service.database.rows<{ id: string }>(
      'select id from team_members where sub_account_id = $1',
      [service.subAccountId],
    );
    expect(body.data).toMatchObject({
      user: { email, name: null },
      isOwner: false,
      isRecent: true,
      memberships: [
        {
          subAccountId: service.subAccountId,
          subAccountName: 'Harbour Dental',
          sandbox: false,
          timezone: expect.any(String),
          role: 'agent',
          memberId: member?.id,
        },
      ],
    });
  });

  test('ends after 12 hours without a request, and after 30 days', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
      expect((await call('GET /console/api/session')).status).toBe(200);
      service.clock.advance(11 * HOUR_MS);
    }
    service.clock.advance(11 * HOUR_MS);
    expect((await call('GET /console/api/session')).status).toBe(401);
    const second = await signInAs(service, 'agent');
    service.clock.advance(12 * HOUR_MS);
    expect((await second.call('GET /console/api/session')).status).toBe(401);
  });

  test('ends with sign-out, which deletes the cookie', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    const answer = await call('POST /console/api/sign-out');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^frontdesk_session=; Path=\/; Max-Age=0;/);
    expect((await call('GET /console/api/session')).status).toBe(401);
  });

  test('ends at once when the user is disabled, and loses a role at once', async ({ service }) => {
    const { call, email } = await signInAs(service, 'admin');
    expect((await call('GET /console/api/v1/webhooks')).status).toBe(200);
    await service.transact(service.subAccountId, OPERATOR, async (work) =>
      setRole(work, await loadUser(work, email), 'agent'),
    );
    expect((await call('GET /console/api/v1/webhooks')).status).toBe(403);
    await service.transact(service.subAccountId, OPERATOR, async (work) =>
      setRole(work, await loadUser(work, email), null),
    );
    expect((await call('GET /console/api/v1/contacts')).status).toBe(404);
    await service.transact(AGENCY, OPERATOR, async (work) =>
      disableUser(work, await loadUser(work, email)),
    );
    expect((await call('GET /console/api/session')).status).toBe(401);
  });

  test('does not outlive a sign-in at the same moment in which the user is disabled', async ({
    service,
  }) => {
    for (let time = 0; time < 20; time += 1) {
      const { token, email, userId } = await inviteAs(service, 'agent');
      await Promise.all([
        signIn(service, token),
        service.transact(AGENCY, OPERATOR, async (work) =>
          disableUser(work, await loadUser(work, email)),
        ),
      ]);
      const sessions = await service.database.rows(
        'select 1 from user_sessions where user_id = $1',
        [userId],
      );
      expect(sessions).toEqual([]);
    }
  });

  test('gives no access outside /console, and a key gives none inside', async ({ service }) => {
    const { cookie } = await signInAs(service, 'owner');
    const outside = await service.call('GET /api/v1/contacts', { key: null, headers: { cookie } });
    expect(outside.status).toBe(401);
    const inside = await service.call('GET /console/api/v1/contacts', {
      headers: { 'x-sub-account-id': service.subAccountId },
    });
    expect(inside.status).toBe(401);
  });

  test('changes nothing for requests that other websites start', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const body = { firstName: 'Ada', lastName: 'Lovelace' };
    const create = (headers: Record<string, string>) =>
      call('POST /console/api/v1/contacts', { body, headers });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: service.url },
    ]) {
      const answer = await create(headers);
      expect(answer.status).toBe(403);
      expect(answer.body.error.details).toEqual({ reason: 'cross_site' });
    }
    const { cookie } = await signInAs(service, 'admin');
    const bare = (headers: Record<string, string>) =>
      service.call('POST /console/api/v1/contacts', {
        key: null,
        body,
        headers: { cookie, 'x-sub-account-id': service.subAccountId, ...headers },
      });
    expect((await bare({})).body.error.details).toEqual({ reason: 'cross_site' });
    expect((await bare({ origin: 'https://evil.example' })).status).toBe(403);
    expect(await service.eventNames()).toEqual([]);
    expect((await bare({ origin: service.url })).status).toBe(201);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('writes the user into the audit trail', async ({ service }) => {
    const { call, email } = await signInAs(service, 'agent');
    const { body } = await call('POST /console/api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    const rows = await service.database.rows(
      'select actor_kind, actor, key_prefix, operation from audit_entries where record_id = $1',
      [body.data.id],
    );
    expect(rows).toEqual([
      { actor_kind: 'user', actor: email, key_prefix: null, operation: 'contacts.create' },
    ]);
  });
});
