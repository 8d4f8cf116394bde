import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { frontdesk } from '../support/frontdesk.ts';
import { describe, expect, test } from '../support/service.ts';
import { connectAgent } from './agents.support.ts';

const ADA = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };

describe('official clients', () => {
  test.for(['2026-07-28', '2025'] as const)(
    'of revision %s list and call tools',
    async (era, { service }) => {
      const { client, call } = await connectAgent(service.url, service.keys.full, { era });
      expect((await client.listTools()).tools).toHaveLength(19);
      expect(client.getInstructions()).toContain('CRM');
      expect((await call('save_contact', ADA)).content.data.email).toBe('ada@example.com');
      expect(await service.eventNames()).toEqual(['contact.created']);
    },
  );

  test('of the first line (sdk 1.32) list and call tools, and check the results', async ({
    service,
  }) => {
    const client = new OldClient({ name: 'old', version: '1' });
    const transport = new OldTransport(new URL('/mcp', service.url), {
      requestInit: { headers: { authorization: `Bearer ${service.keys.full}` } },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(19);
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'old', version: '1' } };
    const saved: any = await client.callTool({ name: 'save_contact', arguments: ADA, _meta });
    expect(saved.structuredContent.data.email).toBe('ada@example.com');
    const [entry] = await service.database.rows<{ client: string }>(
      'select client from audit_entries where record_id = $1',
      [saved.structuredContent.data.id],
    );
    expect(entry?.client).toBe('old 1');
    const refused: any = await client.callTool({
      name: 'get_contact',
      arguments: { contactId: 'x' },
    });
    expect(refused.isError).toBe(true);
  });
});

describe('frontdesk mcp', () => {
  test('without a key ends with 2 and names it', async () => {
    const { code, stdout, stderr } = await frontdesk(['mcp', '--url', 'http://localhost:1']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('FRONTDESK_API_KEY');
  });

  test.for(['2026-07-28', '2025'] as const)(
    'serves a client of revision %s over stdio, without a database',
    async (era, { service }) => {
      const client = new Client(
        { name: 'desktop', version: '3' },
        { versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: era } } },
      );
      const transport = new StdioClientTransport({
        command: 'bin/frontdesk',
        args: ['mcp', '--url', service.url],
        env: { PATH: process.env['PATH'] ?? '', FRONTDESK_API_KEY: service.keys.full },
      });
      await client.connect(transport);
      onTestFinished(() => client.close());
      const saved: any = await client.callTool({ name: 'save_contact', arguments: ADA });
      expect(saved.structuredContent.data.firstName).toBe('Ada');
      const [entry] = await service.database.rows<{ client: string }>(
        'select client from audit_entries where record_id = $1',
        [saved.structuredContent.data.id],
      );
      expect(entry?.client).toBe('desktop 3');
    },
  );

  test('ends with 0 when the input ends, and writes nothing but the protocol', async ({
    service,
  }) => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      FRONTDESK_API_KEY: service.keys.full,
      DATABASE_URL: service.databaseUrl,
      FRONTDESK_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    };
    const child = spawn('bin/frontdesk', ['mcp', '--url', service.url], { env });
    let stdout = '';
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\nnot json\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(lines.find(({ id }) => id === 1).result.tools).toHaveLength(19);
  });
});
