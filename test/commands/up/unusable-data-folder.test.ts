import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frontdesk, newKey } from '../../support/frontdesk.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'frontdesk-unusable-'));
  chmodSync(base, 0o755);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a data folder that cannot be used is refused in one line, without a stack trace', () => {
  const refusal = async (folder: string) => {
    const { code, stderr } = await frontdesk(['up', '--port', '0', '--data', folder]);
    expect(stderr).toMatch(/^frontdesk: .*\n$/);
    expect(stderr).not.toMatch(/this is a bug|\n\s+at /);
    return { code, stderr };
  };

  test('it is a file, or below a file', async () => {
    const file = join(base, 'a-file');
    writeFileSync(file, '');
    for (const folder of [file, join(file, 'below')]) {
      const { code, stderr } = await refusal(folder);
      expect(code).toBe(1);
      expect(stderr).toContain(`the data folder ${folder} cannot be used: `);
      expect(stderr).toContain('--data');
    }
  });

  test.runIf(nobodyCanRun())(
    'it belongs to another user, or its parent is not writable',
    async () => {
      const closed = join(base, 'closed');
      mkdirSync(closed);
      chmodSync(closed, 0o555);
      const theirs = join(base, 'theirs');
      mkdirSync(theirs);
      writeFileSync(join(theirs, 'secret-key'), `${newKey()}\n`, { mode: 0o600 });
      chmodSync(theirs, 0o755);
      for (const folder of [join(closed, 'new'), theirs]) {
        const { code, stderr } = await asNobody(['up', '--port', '0', '--data', folder]);
        expect(stderr).toMatch(/^frontdesk: .*\n$/);
        expect(stderr).toContain(`the data folder ${folder} cannot be used: `);
        expect(stderr).toContain('EACCES');
        expect(code).toBe(1);
      }
    },
  );
});

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

/** Root can write everywhere, and a checkout under /root is closed to all other users. */
function nobodyCanRun(): boolean {
  return !isRoot || spawnSync('test', ['-x', resolve('bin/frontdesk')], NOBODY).status === 0;
}

/** Runs as a user without files: root may write everywhere. */
const asNobody = (args: readonly string[]) =>
  new Promise<{ code: number; stderr: string }>((settle) => {
    const { PATH = '' } = process.env;
    const options = {
      env: { PATH, HOME: '/nonexistent', TMPDIR: '/nonexistent' },
      ...(isRoot && NOBODY),
    };
    execFile('bin/frontdesk', args, options, (error, _, stderr) => {
      settle({ code: error ? Number(error.code) : 0, stderr });
    });
  });
