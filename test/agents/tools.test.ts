import { TOOL_NAMES } from '../../src/agents/tools/catalogue.ts';
import { describe, expect, test } from '../support/service.ts';
import { connectAgent } from './agents.support.ts';

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
