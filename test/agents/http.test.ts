import { setAgentPolicy } from '../../src/accounts/keys/set-agent-policy.ts';
import { describe, expect, test, type CallOptions } from '../support/service.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const NESTED = JSON.stringify({
  ...LIST,
  method: 'tools/call',
  params: { name: 'save_contact', arguments: { firstName: 'DEEP' } },
}).replace('"DEEP"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
const MANY = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`a${at}`, at]));

const post = (options: CallOptions) => ({ body: LIST, ...options });

describe('POST /mcp', () => {
  test.for([
    ['no key', { key: null }, 401],
    ['an unknown key', { key: 'sk_live_nonsense' }, 401],
    ['the Origin of another website', { headers: { origin: 'https://evil.example' } }, 403],
    ['a batch', { body: [LIST, LIST] }, 400],
    ['a body that is not JSON', { raw: '{' }, 400],
    ['an empty body', { raw: '' }, 400],
    ['values nested too deeply', { raw: NESTED }, 400],
    ['too many values', { body: { ...LIST, params: MANY } }, 400],
    ['another content type', { raw: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    ['a body over 1 MiB', { raw: JSON.stringify({ ...LIST, x: 'x'.repeat(1_048_577) }) }, 413],
    ['an unknown revision', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400],
  ] as const)('refuses %s', async ([, options, status], { shared }) => {
    const refused = await shared.call('POST /mcp', post(options));
    expect(refused.status).toBe(status);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge === null ? null : challenge.split(' ')[0]).toBe(
      status === 401 ? 'Bearer' : null,
    );
  });

  test.for(
    ['tools/list', 'resources/list', 'resources/templates/list'].flatMap((method) =>
      [5, null, 'unknown'].map((cursor) => [method, cursor] as const),
    ),
  )('refuses %s with the cursor %s as wrong parameters', async ([method, cursor], { shared }) => {
    for (const headers of [{}, { 'mcp-protocol-version': '2025-06-18' }]) {
      const body = { ...LIST, method, params: { cursor } };
      const refused = await shared.call('POST /mcp', { body, headers });
      expect(refused.body.error).toEqual({
        code: -32_602,
        message: expect.stringContaining('cursor'),
      });
    }
  });

  test('refuses a resource without an address as wrong parameters', async ({ shared }) => {
    for (const params of [{}, { uri: 5 }]) {
      const refused = await shared.call('POST /mcp', {
        body: { ...LIST, method: 'resources/read', params },
      });
      expect(refused.body.error.code).toBe(-32_602);
    }
  });

  test('refuses a revoked key', async ({ service }) => {
    const me = await service.call('GET /api/v1/me');
    await service.database.rows('update api_keys set revoked_at = now() where id = $1', [
      me.body.data.keyId,
    ]);
    await service.noticed();
    const refused = await service.call('POST /mcp', { body: LIST });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", /);
  });

  test('obeys a changed policy of a key with the next request', async ({ service }) => {
    const { body } = await service.call('GET /api/v1/me');
    const toolsOf = async (): Promise<string[]> => {
      const listed = await service.call('POST /mcp', { body: LIST });
      return listed.body.result.tools.map(({ name }: { readonly name: string }) => name);
    };
    expect(await toolsOf()).toContain('send_message');
    await service.transact(service.subAccountId, service.actor, (work) =>
      setAgentPolicy(work, { keyId: body.data.keyId, agentPolicy: { tells: 'deny' } }),
    );
    expect(await toolsOf()).not.toContain('send_message');
  });

  test.for(['GET', 'DELETE'])('refuses %s with 405', async (method, { shared }) => {
    const refused = await shared.call(`${method} /mcp`);
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('POST');
  });

  test('serves clients of 2025 without a session', async ({ shared }) => {
    const listed = await shared.call('POST /mcp', {
      body: LIST,
      headers: { 'mcp-protocol-version': '2025-06-18' },
    });
    expect(listed.status).toBe(200);
    expect(listed.headers.get('content-type')).toMatch(/^application\/json/);
    expect(listed.headers.get('mcp-session-id')).toBeNull();
    expect(listed.body.result.tools.length).toBeGreaterThan(10);
  });

  test('accepts the Origin of the server itself', async ({ shared }) => {
    const { origin } = new URL(shared.url);
    const listed = await shared.call('POST /mcp', { body: LIST, headers: { origin } });
    expect(listed.status).toBe(200);
  });

  test('names the header that an agency key lacks', async ({ shared }) => {
    const body = {
      ...LIST,
      method: 'tools/call',
      params: { name: 'find_contact', arguments: {} },
    };
    const called = await shared.call('POST /mcp', { key: 'agency', body });
    expect(called.body.result.isError).toBe(true);
    expect(called.body.result.content[0].text).toContain('X-Sub-Account-Id');
    const named = await shared.call('POST /mcp', {
      key: 'full',
      body,
      headers: { 'x-sub-account-id': shared.subAccountId },
    });
    expect(named.body.result.isError).toBeUndefined();
  });
});
