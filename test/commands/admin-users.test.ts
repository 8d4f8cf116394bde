import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { frontdesk, startFrontdesk } from '../support/frontdesk.ts';

let database: TestDatabase;
let environment: Record<string, string>;
let subAccountId: string;
let port: number;

const admin = async (line: string) => {
  const { code, stdout, stderr } = await frontdesk(
    ['admin', ...line.split(' '), '--json', '--yes'],
    environment,
  );
  return { code, json: stdout ? JSON.parse(stdout) : undefined, stderr };
};

beforeAll(async () => {
  database = await createDatabase();
  port = await freePort();
  environment = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    FRONTDESK_BASE_URL: 'https://desk.example',
    FRONTDESK_PORT: String(port),
  };
  await frontdesk(['migrate'], environment);
  const { json } = await admin('sub-account create --name Harbour');
  subAccountId = json.id;
});
afterAll(() => database.drop());

describe('admin user', () => {
  test('invites an owner and a member, with a link that works for 24 hours', async () => {
    const started = Date.now();
    const owner = await admin('user invite --email Ada@Example.com --name Ada --role owner');
    expect(owner.json).toMatchObject({
      email: 'ada@example.com',
      role: 'owner',
      subAccountId: null,
      link: expect.stringMatching(/^https:\/\/desk\.example\/console\/sign-in#[\w-]{43}$/),
    });
    const until = Date.parse(owner.json.expiresAt) - started;
    expect(until).toBeGreaterThanOrEqual(24 * 3_600_000);
    const line = `user invite --email grace@example.com --role agent --sub-account ${subAccountId}`;
    expect((await admin(line)).json).toMatchObject({ role: 'agent', subAccountId });
    expect((await admin('user list')).json).toEqual([
      {
        id: owner.json.id,
        email: 'ada@example.com',
        name: 'Ada',
        status: 'active',
        isOwner: true,
        memberships: [],
        lastSignInAt: null,
      },
      expect.objectContaining({
        email: 'grace@example.com',
        memberships: [{ subAccountId, role: 'agent' }],
      }),
    ]);
  });

  test('exits 2 for a role without its sub-account, and an owner with one', async () => {
    const alone = await admin('user invite --email x@example.com --role agent');
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain('--sub-account');
    const both = `user invite --email x@example.com --role owner --sub-account ${subAccountId}`;
    expect((await admin(both)).code).toBe(2);
    const unknown = await admin('user invite --email x@example.com --role boss');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('owner, admin, agent, viewer, integrator');
  });

  test('changes and removes a role', async () => {
    const role = (to: string) =>
      admin(`user role --email grace@example.com --sub-account ${subAccountId} --role ${to}`);
    expect((await role('admin')).json.memberships).toEqual([{ subAccountId, role: 'admin' }]);
    expect((await role('none')).json.memberships).toEqual([]);
    expect((await role('viewer')).json.memberships).toEqual([{ subAccountId, role: 'viewer' }]);
    const owner = await admin('user role --email grace@example.com --role owner');
    expect(owner.json.isOwner).toBe(true);
    const none = await admin('user role --email grace@example.com --role none');
    expect(none.json.isOwner).toBe(false);
  });

  test('disables, enables and signs out in a running server, over https cookies', async () => {
    const server = await startFrontdesk(['serve'], environment);
    const base = `http://127.0.0.1:${port}`;
    const signIn = async () => {
      const { json } = await admin('user link --email ada@example.com');
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const body = JSON.stringify({ token: json.link.split('#')[1] });
      return fetch(`${base}/console/api/sign-in/link`, { method: 'POST', headers, body });
    };
    const first = await signIn();
    expect(first.headers.get('set-cookie')).toMatch(
      /^__Host-frontdesk_session=[\w-]{43}; Path=\/; .*; Secure$/,
    );
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const status = async () =>
      (await fetch(`${base}/console/api/session`, { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    expect((await admin('user disable --email ada@example.com')).json.status).toBe('disabled');
    expect(await status()).toBe(401);
    expect((await admin('user link --email ada@example.com')).code).toBe(2);
    expect((await admin('user enable --email ada@example.com')).json.status).toBe('active');
    expect(await status()).toBe(401);
    const second = await signIn();
    const fresh = second.headers.get('set-cookie')?.split(';')[0] ?? '';
    const freshStatus = async () =>
      (await fetch(`${base}/console/api/session`, { headers: { cookie: fresh } })).status;
    expect(await freshStatus()).toBe(200);
    expect((await admin('user sign-out --email ada@example.com')).code).toBe(0);
    expect(await freshStatus()).toBe(401);
    expect(await server.end()).toBe(0);
  });

  test('exits 1 for an unknown user', async () => {
    const { code, stderr } = await admin('user link --email unknown@example.com');
    expect(code).toBe(1);
    expect(stderr).toContain('there is no user unknown@example.com');
  });
});
