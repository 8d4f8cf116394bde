import { agentCatalogue } from '#registry/agents.ts';
import { findActions } from '../../src/agents/tools/find-action.ts';
import { describe, expect, test } from '../support/service.ts';
import { connectAgent, issueKey } from './agents.support.ts';

describe('a search for actions', () => {
  test('counts as a read of the key', async ({ service }) => {
    const { key } = await issueKey(service, { scopes: ['contacts:read'], rateRead: '2/1h' });
    const { call } = await connectAgent(service.url, key);
    const query = 'export contacts';
    expect((await call('find_action', { query })).isError).toBe(false);
    expect((await call('find_contact', { search: 'ada' })).isError).toBe(false);
    const { isError, content } = await call('find_action', { query });
    expect(isError).toBe(true);
    expect(content.error.code).toBe('RATE_LIMITED');
  });

  test('takes 200 characters, as the list of tools shows', async ({ service }) => {
    const { client, call } = await connectAgent(service.url, service.keys.full);
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'find_action');
    expect(tool?.inputSchema.properties).toMatchObject({ query: { maxLength: 200 } });
    const most = `merge contacts ${'😀'.repeat(185)}`;
    const { content } = await call('find_action', { query: most });
    expect(content.actions[0].action).toBe('contacts.merge');
    const refused = await call('find_action', { query: `${most}!` });
    expect(refused.content.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('has more than 200 characters'),
    });
  });

  test('finds the words of an action once, and counts a repeated word once', () => {
    let reads = 0;
    const actions = [...agentCatalogue().actions.values()].map((action) => {
      const { description = '' } = action;
      return Object.defineProperty({ ...action }, 'description', {
        get() {
          reads += 1;
          return description;
        },
      });
    });
    const found = findActions(actions, 'merge two contacts');
    const repeated = findActions(actions, `merge two contacts ${'contact '.repeat(20)}`);
    expect(found[0]?.action).toBe('contacts.merge');
    expect(repeated).toEqual(found);
    expect(reads).toBe(actions.length);
  });
});
