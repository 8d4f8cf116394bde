import { pino } from 'pino';
import { keepHouse } from '../support/keep-house.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import {
  allow,
  authorize,
  connected,
  endOf,
  openClient,
  openOauthServer,
  openProgram,
  post,
  REDIRECT,
  sealedIn,
  signInThere,
} from './oauth.support.ts';

const MINUTE_MS = 60_000;

/** A server, a program, and the code that an admin gave it. */
async function allowed(service: TestService) {
  const program = await openProgram();
  const { url, call, there } = await openOauthServer(service);
  const admin = await signInThere(there, 'admin');
  const client = await openClient(url, program);
  const { location } = await authorize(url, admin, client.parameters);
  const { body } = await allow(admin, sealedIn(location));
  const redirectTo: string = body.data.redirectTo;
  const form = {
    grant_type: 'authorization_code',
    client_id: program.clientId,
    code: new URL(redirectTo).searchParams.get('code') ?? '',
    code_verifier: client.verifier,
    redirect_uri: REDIRECT,
  };
  const redeem = (change: Record<string, string> = {}) =>
    post(`${url}/oauth/token`, { ...form, ...change });
  return { program, url, call, there, admin, client, form, redirectTo, redeem };
}

const refusal = { status: 400, body: { error: 'invalid_grant' } };

describe('a code', () => {
  test('works once: its second use ends the access', async ({ service }) => {
    const { redeem, call } = await allowed(service);
    const first = await redeem();
    expect(first.status).toBe(200);
    const key = first.body.access_token;
    expect((await call('GET /api/v1/me', { key })).status).toBe(200);
    expect(await redeem({ code_verifier: 'x'.repeat(43) })).toMatchObject(refusal);
    expect(await endOf(call, key)).toBe('KEY_REVOKED');
    const refresh_token = first.body.refresh_token;
    expect(await redeem({ grant_type: 'refresh_token', refresh_token })).toMatchObject(refusal);
  });

  test(
    'gives one access at most when it is used twenty times at once',
    { repeats: 19 },
    async ({ service }) => {
      const { redeem } = await allowed(service);
      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem()));
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
    },
  );

  test.for([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['another client', { client_id: 'https://evil.example/id' }],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['an altered code', { code: `fdc_${'A'.repeat(64)}` }],
  ] as const)(
    'is refused with %s, and still works for its program',
    async ([, change], { service }) => {
      const { redeem } = await allowed(service);
      expect(await redeem(change)).toMatchObject(refusal);
      expect((await redeem()).status).toBe(200);
    },
  );

  test('is refused for another resource', async ({ service }) => {
    const { redeem } = await allowed(service);
    const refused = await redeem({ resource: 'https://other.example/mcp' });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
  });

  test('expires after 60 seconds', async ({ service }) => {
    const { redeem } = await allowed(service);
    service.clock.advance(MINUTE_MS);
    expect(await redeem()).toMatchObject(refusal);
  });

  test('is refused when the user lost the role in between', async ({ service }) => {
    const { redeem, admin } = await allowed(service);
    await service.database.rows(
      `update memberships set role = 'agent' where user_id = (select id from users where email = $1)`,
      [admin.email],
    );
    expect(await redeem()).toMatchObject(refusal);
  });

  test('of another server is refused by the client: the response names its issuer', async ({
    service,
  }) => {
    const { redirectTo, client } = await allowed(service);
    const mixed = new URL(redirectTo);
    mixed.searchParams.set('iss', 'https://evil.example');
    await expect(client.redeem(mixed.href)).rejects.toThrow(/iss/);
  });
});

describe('a refresh token', () => {
  test(
    'returns the same tokens to twenty refreshes at once, and after a lost response',
    {
      repeats: 19,
    },
    async ({ service }) => {
      const { client, tokens, call } = await connected(service);
      const token = tokens.refresh_token ?? '';
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.refresh(token)));
      expect(new Set(answers.map((one) => one.access_token)).size).toBe(1);
      expect(new Set(answers.map((one) => one.refresh_token)).size).toBe(1);
      service.clock.advance(MINUTE_MS - 5_000);
      const again = await client.refresh(token);
      expect(again.refresh_token).toBe(answers[0]?.refresh_token);
      expect((await call('GET /api/v1/me', { key: again.access_token })).status).toBe(200);
    },
  );

  test.for(['a minute', 'the next refresh'] as const)(
    'that is used again after %s ends the access',
    async (when, { service }) => {
      const { client, tokens, call } = await connected(service);
      const token = tokens.refresh_token ?? '';
      let latest = await client.refresh(token);
      if (when === 'a minute') {
        service.clock.advance(MINUTE_MS);
      } else {
        latest = await client.refresh(latest.refresh_token ?? '');
      }
      await expect(client.refresh(token)).rejects.toMatchObject({ error: 'invalid_grant' });
      expect(await endOf(call, latest.access_token)).toBe('KEY_REVOKED');
      await expect(client.refresh(latest.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  test('of another client is refused and keeps working', async ({ service }) => {
    const { client, tokens, url } = await connected(service);
    const refresh_token = tokens.refresh_token ?? '';
    const form = { client_id: 'https://evil.example/id', refresh_token, token: refresh_token };
    const stolen = await post(`${url}/oauth/token`, { ...form, grant_type: 'refresh_token' });
    expect(stolen).toMatchObject(refusal);
    expect(await post(`${url}/oauth/revoke`, form)).toMatchObject(refusal);
    await client.refresh(refresh_token);
  });

  test('gives no further scope', async ({ service }) => {
    const { program, tokens, url } = await connected(service);
    const form = {
      client_id: program.clientId,
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    };
    const more = await post(`${url}/oauth/token`, { ...form, scope: 'contacts:read tasks:read' });
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope']);
    const same = await post(`${url}/oauth/token`, { ...form, scope: 'contacts:read' });
    expect(same.body.scope).toBe('contacts:read contacts:write');
  });
});

describe('tokens and codes', () => {
  test('are stored as hashes, and never logged', async ({ service }) => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const program = await openProgram();
    const { url, there } = await openOauthServer(service, { log });
    const admin = await signInThere(there, 'admin');
    const client = await openClient(url, program);
    const { location } = await authorize(url, admin, client.parameters);
    const { body } = await allow(admin, sealedIn(location));
    const tokens = await client.redeem(body.data.redirectTo);
    const next = await client.refresh(tokens.refresh_token ?? '');
    const secrets = [
      new URL(body.data.redirectTo).searchParams.get('code') ?? '',
      client.verifier,
      tokens.access_token,
      tokens.refresh_token ?? '',
      next.access_token,
      next.refresh_token ?? '',
    ];
    const stored = await service.database.rows(
      `select 1 from (select g::text as t from oauth_grants g union all
         select r::text from oauth_refresh_tokens r union all select k::text from api_keys k
         union all select i::text from idempotency_keys i) all_rows
       where exists (select from unnest($1::text[]) as secret where strpos(t, secret) > 0)`,
      [secrets],
    );
    expect(stored).toEqual([]);
    expect(lines.length).toBeGreaterThan(5);
    expect(secrets.filter((secret) => lines.join('').includes(secret))).toEqual([]);
  });

  test('are pruned once they ended', async ({ service }) => {
    const { redeem, form } = await allowed(service);
    const first = await redeem();
    await redeem();
    expect(first.status).toBe(200);
    const other = await allowed(service);
    const clients = [form.client_id, other.form.client_id];
    const grants = () =>
      service.database.rows('select id from oauth_grants where client_id = any($1)', [clients]);
    expect(await grants()).toHaveLength(2);
    await service.database.rows(
      `update oauth_grants set code_expires_at = now() - interval '1 day' where client_id = any($1)`,
      [clients],
    );
    await service.database.rows(
      `update api_keys set revoked_at = now() - interval '31 days' where kind = 'oauth_live'`,
      [],
    );
    await service.database.rows(
      `update oauth_refresh_tokens set expires_at = now() - interval '1 minute'`,
      [],
    );
    await keepHouse(service);
    expect(await grants()).toEqual([]);
    const left = await service.database.rows(
      `select 1 from api_keys where kind = 'oauth_live' union all select 1 from oauth_refresh_tokens`,
      [],
    );
    expect(left).toEqual([]);
  });
});
