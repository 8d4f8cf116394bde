import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { vi } from 'vitest';
import { AGENCY } from '#lib/id.ts';
import { disableUser } from '../../src/accounts/sign-in/end-sessions.ts';
import { setAgentPolicy } from '../../src/accounts/keys/set-agent-policy.ts';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { setRole } from '../../src/accounts/users/set-role.ts';
import { loadUser } from '../../src/accounts/users/user.store.ts';
import { SAME_ORIGIN, signInAs, type Browser } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

interface LateCall {
  /** Sends the rest of the body and returns the response. */
  end(): Promise<{ readonly status: number | undefined; readonly body: any }>;
}

/** Sends a call without the last byte of its body. */
function startCall(
  { url }: TestService,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): LateCall {
  const text = JSON.stringify(body);
  const sent = request(`${url}${path}`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
  });
  sent.write(text.slice(0, -1));
  return {
    async end() {
      const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.end(text.slice(-1));
      const [response] = await responded;
      return { status: response.statusCode, body: await json(response) };
    },
  };
}

/** Starts a call of the console, and waits until it was admitted. */
async function startConsoleCall(service: TestService, { email, cookie }: Browser, path: string) {
  const { clock, database, subAccountId } = service;
  clock.advance(61_000);
  const headers = { ...SAME_ORIGIN, cookie, 'x-sub-account-id': subAccountId };
  const call = startCall(service, path, headers, { name: 'Late', scopes: ['contacts:read'] });
  await vi.waitFor(async () => {
    const seen = await database.rows(
      `select 1 from user_sessions s join users u on u.id = s.user_id
       where u.email = $1 and s.last_seen_at > s.created_at`,
      [email],
    );
    expect(seen).toHaveLength(1);
  });
  return call;
}

const keysNamedLate = ({ database }: TestService) =>
  database.rows(`select id from api_keys where name = 'Late'`);

describe('a call whose body ends late', () => {
  test('is refused once its user was disabled', async ({ service }) => {
    const browser = await signInAs(service, 'admin');
    const call = await startConsoleCall(service, browser, '/console/api/v1/keys');
    await service.transact(AGENCY, OPERATOR, async (work) =>
      disableUser(work, await loadUser(work, browser.email)),
    );
    const { status, body } = await call.end();
    expect({ status, code: body.error?.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect(await keysNamedLate(service)).toEqual([]);
  });

  test('is refused once its user has another role', async ({ service }) => {
    const browser = await signInAs(service, 'admin');
    const call = await startConsoleCall(service, browser, '/console/api/v1/keys');
    await service.transact(service.subAccountId, OPERATOR, async (work) =>
      setRole(work, await loadUser(work, browser.email), 'agent'),
    );
    const { status, body } = await call.end();
    expect({ status, code: body.error?.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect(await keysNamedLate(service)).toEqual([]);
  });

  test('works for a user who may still call', async ({ service }) => {
    const browser = await signInAs(service, 'admin');
    const call = await startConsoleCall(service, browser, '/console/api/v1/keys');
    expect((await call.end()).status).toBe(201);
    expect(await keysNamedLate(service)).toHaveLength(1);
  });

  test('is refused once its key was revoked', async ({ service }) => {
    const { database, keys, subAccountId } = service;
    const headers = { authorization: `Bearer ${keys.full}` };
    const person = { firstName: 'Ada', lastName: 'Late' };
    const call = startCall(service, '/api/v1/contacts', headers, person);
    const { body } = await service.call('GET /api/v1/me', { key: 'full' });
    await service.transact(subAccountId, OPERATOR, (work) => revokeKey(work, body.data));
    await service.noticed();
    const refused = await call.end();
    expect({ status: refused.status, code: refused.body.error?.code }).toEqual({
      status: 401,
      code: 'KEY_REVOKED',
    });
    expect(await database.rows(`select id from contacts where last_name = 'Late'`)).toEqual([]);
  });

  test('of an agent is refused once its key may no longer read on its own', async ({ service }) => {
    const { keys, subAccountId } = service;
    const headers = {
      authorization: `Bearer ${keys.full}`,
      accept: 'application/json, text/event-stream',
    };
    const params = { name: 'contact.created' };
    const poll = { jsonrpc: '2.0', id: 1, method: 'events/poll', params };
    const call = startCall(service, '/mcp', headers, poll);
    const { body: me } = await service.call('GET /api/v1/me', { key: 'full' });
    await service.transact(subAccountId, OPERATOR, (work) =>
      setAgentPolicy(work, { keyId: me.data.keyId, agentPolicy: { read: 'ask' } }),
    );
    await service.noticed();
    const { body } = await call.end();
    expect(body.error?.data).toMatchObject({ code: 'FORBIDDEN' });
  });
});
