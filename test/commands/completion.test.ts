import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frontdesk } from '../support/frontdesk.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await frontdesk(['completion', shell]);
    writeFileSync(join(folder, shell), stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a Tab after these words offers in bash. */
const offered = (...words: readonly string[]): string[] => {
  const script = `
    source ${folder}/bash
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
    _frontdesk
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
};

describe('completion of bash', () => {
  test('offers the commands, the groups and what they hold', () => {
    expect(offered('frontdesk', '')).toEqual(
      expect.arrayContaining([
        'up',
        'migrate',
        'serve',
        'worker',
        'admin',
        'openapi',
        'completion',
      ]),
    );
    expect(offered('frontdesk', 'mi')).toEqual(['migrate']);
    expect(offered('frontdesk', 'admin', 'key', 're')).toEqual(['revoke']);
  });

  test('offers a command its options, past arguments and options with values', () => {
    expect(offered('frontdesk', 'serve', '--')).toEqual([
      '--host',
      '--port',
      '--json',
      '--yes',
      '--help',
    ]);
    expect(offered('frontdesk', 'serve', '--host', '::1', '--po')).toEqual(['--port']);
    expect(offered('frontdesk', 'admin', 'key', 'scopes', 'ID', '--s')).toEqual(['--set']);
  });
});

describe('completion of the other shells', () => {
  test.each(['zsh', 'fish'])('names every option for %s', async (shell) => {
    const { code, stdout } = await frontdesk(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['migrate', 'sub-account', 'dry-run', 'concurrency']) {
      expect(stdout).toContain(word);
    }
  });
});
