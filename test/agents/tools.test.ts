import { TOOL_NAMES } from '../../src/agents/tools/catalogue.ts';
import { describe, expect, test } from '../support/service.ts';
import { connectAgent, issueKey } from './agents.support.ts';

describe('the list of tools', () => {
  test('has at most 20 tools and 24,000 bytes, in a fixed order', async ({ service }) => {
    const { client } = await connectAgent(service.url, service.keys.full);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const spared = new Set(['list_tasks', 'save_task']);
    expect(names).toEqual([
      ...TOOL_NAMES.filter((name) => !spared.has(name)),
      'find_action',
      'run_action',
    ]);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(24_000);
  });

  test('is the same for equal keys, and follows the scopes, the policy and the revision', async ({
    service,
  }) => {
    const list = async (key: string, id: number | string, extra: object = {}) => {
      const body = { jsonrpc: '2.0', id, method: 'tools/list', params: {}, ...extra };
      return (await service.call('POST /mcp', { key, body })).body;
    };
    const { key } = await issueKey(service, { scopes: ['tasks:read', 'tasks:write'] });
    const { key: equal } = await issueKey(service, { scopes: ['tasks:write', 'tasks:read'] });
    const { key: denied } = await issueKey(service, {
      scopes: ['tasks:read', 'tasks:write'],
      agentPolicy: { reversible: 'deny' },
    });
    const first = await list(key, 7);
    expect(await list(equal, 'eight')).toEqual({ ...first, id: 'eight' });
    const names = (answer: any) => answer.result.tools.map(({ name }: any) => name);
    expect(names(first)).toEqual(['list_tasks', 'save_task', 'find_action', 'run_action']);
    expect(names(await list(denied, 7))).toEqual(['list_tasks', 'find_action', 'run_action']);
    expect(names(await list(key, 9))).toEqual(names(first));
    const { client } = await connectAgent(service.url, key);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names(first));
    expect((await list(key, 7, { id: undefined })).result).toBeUndefined();
  });

  test('finds and saves a contact', async ({ service }) => {
    const { call } = await connectAgent(service.url, service.keys.full);
    const saved = await call('save_contact', {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
    });
    expect(saved).toMatchObject({ isError: false, content: { data: { firstName: 'Ada' } } });
    const found = await call('find_contact', { search: 'ada' });
    expect(found.content.data).toHaveLength(1);
    const again = await call('save_contact', {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
    });
    expect(again.content).toMatchObject({ repeated: true, data: saved.content.data });
  });
});
