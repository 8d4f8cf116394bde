import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFollowing, startInstallation, type Installation } from '../support/command-line.ts';
import { newDatabase, newFolder, run, withDatabase } from './backup.support.ts';
import { IN_THIS_DATABASE } from '../support/locks.ts';

const WAIT = { timeout: 60_000, interval: 50 };

let installation: Installation;
let url: string;
beforeAll(async () => {
  installation = await startInstallation();
  url = installation.databaseUrl;
  await installation.createContact('Ada');
});
afterAll(() => installation.close());

/** Runs a backup that waits for a table until `then` is done. */
async function whileWaiting(
  file: string,
  then: (backup: ReturnType<typeof startFollowing>) => Promise<unknown>,
): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query('begin; lock table contacts in access exclusive mode');
    const backup = startFollowing(['backup', file, '--json'], installation.variables);
    await vi.waitFor(async () => {
      expect((await readdir(dirname(file))).some((name) => name.endsWith('.part'))).toBe(true);
      const { rows } = await client.query(
        `select from pg_locks where not granted and relation = 'contacts'::regclass
            and ${IN_THIS_DATABASE}`,
      );
      expect(rows.length).toBe(1);
    }, WAIT);
    await then(backup);
    await client.query('rollback');
  });
}

describe('a backup', () => {
  test('is not written to a pipe, device, folder or standard output', async () => {
    const folder = await newFolder();
    await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
    await mkdir(join(folder, 'folder'));
    for (const [name, why] of [
      ['pipe', 'it is a device or pipe'],
      ['folder', 'it is a folder'],
    ] as const) {
      const { code, stdout, stderr } = await run(['backup', join(folder, name)], url);
      expect({ code, stdout, stderr }).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(why),
      });
    }
    const nowhere = await run(['backup', join(folder, 'none', 'one.backup')], url);
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
    for (const name of ['-', '']) {
      expect(await run(['backup', name], url)).toMatchObject({ code: 2, stdout: '' });
    }
    expect((await readdir(folder)).toSorted()).toEqual(['folder', 'pipe']);
  });

  test('without disk space keeps the old file and leaves no other', async () => {
    const file = join(await newFolder(), 'one.backup');
    await writeFile(file, 'before');
    // Beyond this many blocks, writes fail as on a full disk.
    const command = `ulimit -f 1; exec bin/frontdesk backup ${file}`;
    const failed = promisify(execFile)('sh', ['-c', command], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: url },
    });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
    expect(await readdir(dirname(file))).toEqual(['one.backup']);
    expect(await readFile(file, 'utf8')).toBe('before');
  });

  test('is written to the target of a link, which stays a link', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'disk'));
    const target = join(folder, 'disk', 'one.backup');
    await writeFile(target, 'before');
    await symlink(target, join(folder, 'latest'));
    expect(await run(['backup', join(folder, 'latest')], url)).toMatchObject({ code: 0 });
    expect(await readlink(join(folder, 'latest'))).toBe(target);
    expect((await lstat(target)).size).toBeGreaterThan(100);
    expect(await run(['backup', 'verify', target], '')).toMatchObject({ code: 0 });
  });

  test('that is stopped leaves nothing; after a kill, the next backup works', async () => {
    const file = join(await newFolder(), 'one.backup');
    await writeFile(file, 'before');
    await whileWaiting(file, async (backup) => {
      expect(await backup.end('SIGTERM')).toBe('SIGTERM');
    });
    expect(await readdir(dirname(file))).toEqual(['one.backup']);
    await whileWaiting(file, async (backup) => {
      expect(await backup.end('SIGKILL')).toBe('SIGKILL');
    });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await run(['backup', file], url)).toMatchObject({ code: 0 });
    expect(await run(['backup', 'verify', file], '')).toMatchObject({ code: 0 });
  });

  test('of a database that was never migrated, or becomes unavailable, leaves nothing', async () => {
    const file = join(await newFolder(), 'one.backup');
    const empty = await run(['backup', file], await newDatabase());
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('never migrated') });
    await whileWaiting(file, async (backup) => {
      await withDatabase(url, (client) =>
        client.query(`select pg_terminate_backend(pid) from pg_locks
          where not granted and relation = 'contacts'::regclass and ${IN_THIS_DATABASE}`),
      );
      expect(await backup.exited).toBe(1);
      expect(backup.stderr()).not.toContain('this is a bug');
    });
    expect(await readdir(dirname(file))).toEqual([]);
  });

  test('of two that write one file at once, the result is complete', async () => {
    const file = join(await newFolder(), 'one.backup');
    const both = await Promise.all([run(['backup', file], url), run(['backup', file], url)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await readdir(dirname(file))).toEqual(['one.backup']);
    const { json } = await run(['backup', 'verify', file], '');
    expect(both.map((ran) => ran.json.sha256)).toContain(json.sha256);
  });
});

describe('a restore', () => {
  test('refuses a pipe: it reads its file twice', async () => {
    const pipe = join(await newFolder(), 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const { code, stderr } = await run(['restore', pipe], await newDatabase());
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('is a pipe or device'),
    });
  });

  test('is visible to a running server at once, never partially', async () => {
    const { call, variables, createContact } = installation;
    const file = join(await newFolder(), 'one.backup');
    await run(['backup', file], url);
    const seenNow = async () => {
      const { status, body } = await call('GET /api/v1/contacts');
      return status === 200 ? `${status} ${body.data.length}` : `${status}`;
    };
    const before = await seenNow();
    await createContact('Eve');
    const later = await seenNow();
    const seen = new Set<string>();
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted) {
        seen.add(await seenNow());
      }
    })();
    const restored = await run(['restore', file, '--force', '--yes'], url, variables);
    expect(restored).toMatchObject({ code: 0 });
    over.abort();
    await asking;
    expect([...seen].filter((one) => ![before, later, '503'].includes(one))).toEqual([]);
    expect(await seenNow()).toBe(before);
  });
});
