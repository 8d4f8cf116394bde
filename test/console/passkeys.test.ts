import type { Browser, Page } from 'playwright-core';
import { Client } from 'pg';
import { afterAll, beforeAll, vi } from 'vitest';
import { AGENCY } from '#lib/id.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { WAITING_FOR_ME } from '../support/locks.ts';
import { inviteAs, signInAs } from '../support/people.ts';
import { openServer } from '../support/server.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Passkeys belong to a name, not to an address: this server is called localhost. */
async function localServer({ databaseUrl, clock }: TestService) {
  let url = '';
  const server = await openServer({ databaseUrl, clock, baseUrl: () => url });
  url = server.url.replace('127.0.0.1', 'localhost');
  return { url, stop: server.stop };
}

/** Opens a page with a virtual authenticator, which can verify its user by default. */
async function openWithAuthenticator(url: string, canVerify = true) {
  const page = await openPage(browser);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: canVerify,
      hasUserVerification: canVerify,
      isUserVerified: canVerify,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${url}/healthz`);
  const setVerified = (isUserVerified: boolean) =>
    devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { page, setVerified };
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

/** Calls the console from the page, as its own scripts do. */
const callFrom = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([verb, where, text]) => {
      const response = await fetch(`/console/api${where}`, {
        method: verb,
        headers: { 'content-type': 'application/json' },
        ...(text !== undefined && { body: text }),
      });
      return { status: response.status, body: await response.json() };
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );

/** In the browser; the tests know no DOM. */
declare const PublicKeyCredential: any;

const create = (page: Page, options: object, change: object = {}): Promise<unknown> =>
  page.evaluate(
    async (text) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(text));
      const made = await (navigator as any).credentials.create({ publicKey });
      return made.toJSON();
    },
    JSON.stringify({ ...options, ...change }),
  );

const get = (page: Page, options: object, change: object = {}): Promise<unknown> =>
  page.evaluate(
    async (text) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(text));
      const made = await (navigator as any).credentials.get({ publicKey });
      return made.toJSON();
    },
    JSON.stringify({ ...options, ...change }),
  );

/** Signs in with a link and adds a passkey. */
async function register(service: TestService, page: Page) {
  const invited = await inviteAs(service, 'agent');
  await callFrom(page, 'POST', '/sign-in/link', { token: invited.token });
  const { body } = await callFrom(page, 'POST', '/passkeys/options');
  const credential = await create(page, body.data);
  const added = await callFrom(page, 'POST', '/passkeys', { credential, name: 'Laptop' });
  return { ...invited, added, credential };
}

/** Calls while a transaction that has locked the user deletes their rows of a table. */
async function whileEnding(
  { databaseUrl }: TestService,
  userId: string,
  table: 'user_sessions' | 'passkeys',
  call: () => Promise<Answer>,
): Promise<Answer> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from users where id = $1 for update', [userId]);
  await client.query(`delete from ${table} where user_id = $1`, [userId]);
  const called = call();
  await vi.waitFor(async () => {
    expect((await client.query(WAITING_FOR_ME)).rowCount).toBe(1);
  }, WAIT);
  await client.query('commit');
  await client.end();
  return called;
}

const WAIT = { timeout: 30_000 };

const optionsOf = async (page: Page): Promise<object> =>
  (await callFrom(page, 'POST', '/sign-in/passkey/options')).body.data;

describe('a passkey', () => {
  test('is added by a signed-in user and signs them in, without their address', async ({
    service,
  }) => {
    const { url, stop } = await localServer(service);
    const { page } = await openWithAuthenticator(url);
    const { added, userId } = await register(service, page);
    expect(added).toMatchObject({ status: 201, body: { data: { name: 'Laptop' } } });
    await callFrom(page, 'POST', '/sign-out');
    expect((await callFrom(page, 'GET', '/session')).status).toBe(401);
    const credential = await get(page, await optionsOf(page));
    const signedIn = await callFrom(page, 'POST', '/sign-in/passkey', { credential });
    expect(signedIn).toEqual({ status: 200, body: { data: { userId } } });
    const { body } = await callFrom(page, 'GET', '/session');
    expect(body.data.user.id).toBe(userId);
    const list = await callFrom(page, 'GET', '/passkeys');
    expect(list.body.data).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.any(String) }]);

    // The same response again: its challenge is used.
    const again = await callFrom(page, 'POST', '/sign-in/passkey', { credential });
    expect(again.status).toBe(401);
    await stop();
  });

  test('counts as a recent sign-in', async ({ service }) => {
    const { url, stop } = await localServer(service);
    const { page } = await openWithAuthenticator(url);
    await register(service, page);
    service.clock.advance(11 * 60_000);
    const options = await callFrom(page, 'POST', '/passkeys/options');
    expect(options.status).toBe(200);
    const late = await callFrom(page, 'POST', '/passkeys', { credential: { id: 'x' } });
    expect(late.body.error.details).toEqual({ reason: 'prove_again' });
    const credential = await get(page, await optionsOf(page));
    expect((await callFrom(page, 'POST', '/sign-in/passkey', { credential })).status).toBe(200);
    const { body } = await callFrom(page, 'GET', '/passkeys');
    const deleted = await callFrom(page, 'DELETE', `/passkeys/${body.data[0].id}`);
    expect(deleted.status).toBe(200);
    await stop();
  });

  test('that did not verify its user is refused, by the flag in its response', async ({
    service,
  }) => {
    const { url, stop } = await localServer(service);
    const { page, setVerified } = await openWithAuthenticator(url);
    await register(service, page);
    await setVerified(false);
    const lax = { userVerification: 'discouraged' };
    const credential = await get(page, await optionsOf(page), lax);
    const answer = await callFrom(page, 'POST', '/sign-in/passkey', { credential });
    expect(answer.status).toBe(401);
    const simple = await openWithAuthenticator(url, false);
    const { token } = await inviteAs(service, 'agent');
    await callFrom(simple.page, 'POST', '/sign-in/link', { token });
    const { body } = await callFrom(simple.page, 'POST', '/passkeys/options');
    const authenticatorSelection = { residentKey: 'discouraged', ...lax };
    const made = await create(simple.page, body.data, { authenticatorSelection });
    const added = await callFrom(simple.page, 'POST', '/passkeys', { credential: made });
    expect(added.status).toBe(400);
    await stop();
  });

  test('of a disabled user, with an old challenge, or unknown is refused', async ({ service }) => {
    const { url, stop } = await localServer(service);
    const { page } = await openWithAuthenticator(url);
    const { userId } = await register(service, page);
    const old = await get(page, await optionsOf(page));
    service.clock.advance(6 * 60_000);
    expect((await callFrom(page, 'POST', '/sign-in/passkey', { credential: old })).status).toBe(
      401,
    );
    await service.transact(AGENCY, OPERATOR, async (work) => {
      await work.rows('update users set disabled_at = now() where id = $1', [userId]);
    });
    const credential = await get(page, await optionsOf(page));
    expect((await callFrom(page, 'POST', '/sign-in/passkey', { credential })).status).toBe(401);
    const unknown = { credential: { id: 'unknown' } };
    expect((await callFrom(page, 'POST', '/sign-in/passkey', unknown)).status).toBe(401);
    await stop();
  });

  test('that arrives while sessions and passkeys end is neither added nor accepted', async ({
    service,
  }) => {
    const { url, stop } = await localServer(service);
    const { page } = await openWithAuthenticator(url);
    const { userId } = await register(service, page);
    const used = await get(page, await optionsOf(page));
    const { body } = await callFrom(page, 'POST', '/passkeys/options');
    const added = await create(page, body.data, { excludeCredentials: [] });
    const add = () => callFrom(page, 'POST', '/passkeys', { credential: added });
    expect((await whileEnding(service, userId, 'user_sessions', add)).status).toBe(401);
    const use = () => callFrom(page, 'POST', '/sign-in/passkey', { credential: used });
    expect((await whileEnding(service, userId, 'passkeys', use)).status).toBe(401);
    const left = await service.database.rows(
      'select id from passkeys where user_id = $1 union all select id from user_sessions where user_id = $1',
      [userId],
    );
    expect(left).toEqual([]);
    await stop();
  });

  test('of another user is neither shown nor deleted', async ({ service }) => {
    const { url, stop } = await localServer(service);
    const { page } = await openWithAuthenticator(url);
    const { added } = await register(service, page);
    const other = await signInAs(service, 'owner');
    expect((await other.call('GET /console/api/passkeys')).body.data).toEqual([]);
    const line = `DELETE /console/api/passkeys/${added.body.data.id}`;
    expect((await other.call(line)).status).toBe(404);
    await stop();
  });
});
