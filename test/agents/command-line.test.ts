import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { frontdesk, newKey } from '../support/frontdesk.ts';
import { openTerminal } from '../support/terminal.ts';

const json = async (args: readonly string[], variables: Record<string, string>): Promise<any> => {
  const { code, stdout, stderr } = await frontdesk([...args, '--json'], variables);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

describe('an agent over stdio, with the database', () => {
  test('asks, and an operator approves in the terminal', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
    expect((await frontdesk(['migrate'], variables)).code).toBe(0);
    const created = await json(['admin', 'sub-account', 'create', '--name', 'Harbour'], variables);
    const key = await json(
      `admin key create --sub-account ${created.id} --name Agent --scopes contacts:read,contacts:write --agent reversible=ask,mass=deny`.split(
        ' ',
      ),
      variables,
    );
    expect(key.agentPolicy).toMatchObject({ reversible: 'ask', mass: 'deny', destroys: 'ask' });

    const client = new Client({ name: 'desktop', version: '3' });
    const env = { ...variables, PATH: process.env['PATH'] ?? '', FRONTDESK_API_KEY: key.key };
    const transport = new StdioClientTransport({ command: 'bin/frontdesk', args: ['mcp'], env });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const call = async (): Promise<any> =>
      (await client.callTool({ name: 'save_contact', arguments: ADA })).structuredContent;
    const { status, approvalId } = await call();
    expect(status).toBe('awaiting_approval');

    const [row] = await json(['admin', 'approval', 'list', '--sub-account', created.id], variables);
    expect(row).toMatchObject({
      id: approvalId,
      status: 'pending',
      tool: 'save_contact',
      arguments: ADA,
      keyId: key.id,
      client: 'desktop 3',
    });
    const shown = await frontdesk(['admin', 'approval', 'show', approvalId], variables);
    expect(shown.stdout).toMatch(/^argument email +ada@example\.com$/m);
    const terminal = openTerminal(['admin', 'approval', 'approve', approvalId], variables);
    await terminal.shows('Approve this call?');
    expect(terminal.screen()).toMatch(/^argument firstName +Ada$/m);
    terminal.type('n\r');
    expect(await terminal.exited).toBe(1);
    const ended = openTerminal(['admin', 'approval', 'approve', approvalId], variables);
    await ended.shows('Approve this call?');
    ended.type('\u0004');
    expect(await ended.exited).toBe(1);
    expect(ended.screen()).toMatch(/^frontdesk: the input ended .*; nothing was changed$/m);
    expect(ended.screen()).not.toContain('await');
    await json(['admin', 'approval', 'approve', approvalId], variables);
    const twice = await frontdesk(['admin', 'approval', 'deny', approvalId], variables);
    expect(twice.code).toBe(1);
    expect((await call()).data.email).toBe(ADA.email);

    const policy = ['admin', 'key', 'policy', key.id, '--agent', 'destroys=deny'];
    expect((await json(policy, variables)).agentPolicy.destroys).toBe('deny');
    const wrong = await frontdesk(['admin', 'key', 'policy', key.id, '--agent', 'x=y'], variables);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('tells')]);
  });
});

const ADA = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
