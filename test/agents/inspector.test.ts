import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '../support/service.ts';

const run = promisify(execFile);

/** Runs the official inspector in a terminal, with a home of its own. */
async function inspect(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'frontdesk-inspector-'));
  try {
    const { stdout, stderr } = await run('node_modules/.bin/mcp-inspector', ['--cli', ...args], {
      env: { PATH: process.env['PATH'], HOME: home, ...variables },
    });
    return { answer: JSON.parse(stdout), stderr };
  } finally {
    await rm(home, { recursive: true });
  }
}

const ADA = ['firstName=Ada', 'lastName=Byron', 'email=ada@example.com'];

describe('the official inspector', () => {
  test('finds every schema of a tool portable, and calls a tool', async ({ service }) => {
    const target = [
      `${service.url}/mcp`,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${service.keys.full}`,
    ];
    const listed = await inspect([...target, '--method', 'tools/list', '--strict']);
    expect(listed.answer.tools).toHaveLength(19);
    expect(listed.stderr).toBe('');
    const call = ['--method', 'tools/call', '--tool-name', 'save_contact'];
    const saved = await inspect([...target, ...call, '--tool-arg', ...ADA]);
    expect(saved.answer.structuredContent.data.email).toBe('ada@example.com');
    expect(await service.eventNames()).toEqual(['contact.created']);
    const resources = await inspect([...target, '--method', 'resources/list']);
    expect(resources.answer.resources).toContainEqual(
      expect.objectContaining({ name: 'agents.md', mimeType: 'text/markdown' }),
    );
  });

  test('lists the tools over stdio', async ({ service }) => {
    const args = ['-e', `FRONTDESK_API_KEY=${service.keys.full}`, '--method', 'tools/list'];
    const target = ['bin/frontdesk', 'mcp', '--url', service.url];
    const { answer } = await inspect([...args, '--', ...target]);
    expect(answer.tools).toHaveLength(19);
  });
});
