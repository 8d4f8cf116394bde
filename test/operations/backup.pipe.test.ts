import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { newKey, type Variables } from '../support/frontdesk.ts';
import { openTerminal } from '../support/terminal.ts';
import { contentOf, newDatabase, newFolder, run, shellOf, withDatabase } from './backup.support.ts';

let installation: Installation;
let url: string;
beforeAll(async () => {
  installation = await startInstallation();
  url = installation.databaseUrl;
  await installation.createContact('Ada');
});
afterAll(() => installation.close());

const shell = (line: string, variables: Variables = {}) =>
  shellOf(line, { DATABASE_URL: url, ...variables });

describe('backup -', () => {
  test('writes to standard output what a file would contain, and nothing else', async () => {
    const file = join(await newFolder(), 'piped.backup');
    const { code, stderr } = await shell(`frontdesk backup - > ${file}`);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^wrote to standard output: \d+ rows of \d+ tables/);
    expect((await run(['backup', 'verify', file], '')).code).toBe(0);
    const into = await newDatabase();
    const { FRONTDESK_SECRET_KEY = '' } = installation.variables;
    expect((await run(['restore', file], into, { FRONTDESK_SECRET_KEY })).code).toBe(0);
    expect(await contentOf(into)).toEqual(await contentOf(url));
  });

  test('fails clearly if the reader ends first', async () => {
    // More than the buffer of a pipe.
    await withDatabase(url, (client) =>
      client.query(
        `create table padding as select md5(n::text) as text from generate_series(1, 60000) as n`,
      ),
    );
    try {
      const { code, stdout, stderr } = await shell('frontdesk backup - | head -c 10 > /dev/null');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringContaining('standard output was closed before the backup was complete'),
      ]);
    } finally {
      await withDatabase(url, (client) => client.query('drop table padding'));
    }
  });

  test('fails clearly if the disk is full', async () => {
    const { code, stderr } = await shell('frontdesk backup - > /dev/full');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'frontdesk: standard output cannot be written: no space left on the disk (ENOSPC)\n',
    });
  });

  test('is refused on a terminal, and together with --json', async () => {
    const terminal = openTerminal(['backup', '-'], installation.variables);
    expect(await terminal.exited).toBe(2);
    expect(terminal.screen()).toContain('cannot be written to a terminal');
    const both = await run(['backup', '-'], url);
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(both.stderr).toContain('--json and - both write to standard output');
  });
});

describe('backup verify -', () => {
  test('verifies a backup while it is written', async () => {
    const { code, stdout } = await shell('frontdesk backup - | frontdesk backup verify -');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^standard input is complete: \d+ rows as of /);
  });

  test('refuses a backup without its end, an altered one and another key', async () => {
    const file = join(await newFolder(), 'cut.backup');
    await run(['backup', file], url);
    const whole = await readFile(file);
    const verify = `frontdesk backup verify - < ${file}`;
    const wrongKey = await shell(verify, { FRONTDESK_SECRET_KEY: newKey() });
    expect(wrongKey.stderr).toContain('is not the key of standard input');
    await writeFile(file, whole.subarray(0, -20));
    const cut = await shell(verify);
    expect(cut.stderr).toContain('standard input is cut off: its end is missing');
    const middle = whole.length >> 1;
    await writeFile(file, whole.fill((whole[middle] ?? 0) ^ 0x55, middle, middle + 1));
    const altered = await shell(verify);
    expect(altered.stderr).toContain('standard input was altered');
    expect([wrongKey.code, cut.code, altered.code]).toEqual([1, 1, 1]);
  });

  test('refuses a terminal', async () => {
    const terminal = openTerminal(['backup', 'verify', '-'], {});
    expect(await terminal.exited).toBe(2);
    expect(terminal.screen()).toContain('cannot be read from a terminal');
  });
});
