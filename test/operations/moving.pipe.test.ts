import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { newFolder, shellOf, withDatabase } from './backup.support.ts';
import { countOf, exported, newPlace, populated, rowsOf, type Place } from './moving.support.ts';

const WAIT = { timeout: 60_000, interval: 50 };

let from: Place;
let to: Place;
let subAccountId: string;
/** The folder for temporary files. */
let TMPDIR: string;
beforeEach(async () => {
  from = await newPlace();
  to = await newPlace(from.secretKey);
  ({ subAccountId } = await populated(from));
  TMPDIR = await newFolder();
});

const variables = () => ({ FRONTDESK_SECRET_KEY: from.secretKey, TMPDIR });

const EXPORT = () =>
  `DATABASE_URL='${from.url}' frontdesk admin sub-account export ${subAccountId} -`;
const IMPORT = () => `DATABASE_URL='${to.url}' frontdesk admin sub-account import -`;

const shell = (line: string) => shellOf(line, variables());

const linesOf = (text: string) => text.trim().split('\n');

/** Asserts that nothing was imported and no temporary file is left. */
async function nothingImported() {
  expect(await countOf(to, subAccountId)).toBe(0);
  expect(await readdir(TMPDIR)).toEqual([]);
}

describe('a sub-account that moves through a pipe', () => {
  test('keeps every row, and leaves no temporary file', async () => {
    const before = await rowsOf(from, subAccountId);
    const { code, stdout } = await shell(`${EXPORT()} | ${IMPORT()} --json`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: '-', subAccountId, replaced: false });
    expect(await rowsOf(to, subAccountId)).toEqual(before);
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  test('is not imported if its end is missing, or if nothing arrives', async () => {
    const { file } = await exported(from, subAccountId);
    const whole = await readFile(file);
    for (const length of [0, 20, whole.length >> 1, whole.length - 20]) {
      await writeFile(file, whole.subarray(0, length));
      const { code, stdout, stderr } = await shell(`cat ${file} | ${IMPORT()}`);
      expect({ length, code, stdout }).toEqual({ length, code: 1, stdout: '' });
      expect(linesOf(stderr)).toEqual([
        'frontdesk: standard input is cut off: its end is missing. Use another backup',
      ]);
    }
    await nothingImported();
  });

  test('is not imported if it was altered, or if the export fails', async () => {
    const { file } = await exported(from, subAccountId);
    const whole = await readFile(file);
    const middle = whole.length >> 1;
    await writeFile(file, whole.fill((whole[middle] ?? 0) ^ 0x55, middle, middle + 1));
    const altered = await shell(`${IMPORT()} < ${file}`);
    expect(altered.stderr).toContain('frontdesk: standard input was altered');
    const absent = EXPORT().replace(subAccountId, '00000000-0000-7000-8000-000000000001');
    const failed = await shell(`${absent} | ${IMPORT()}`);
    expect(failed.stderr).toContain('standard input is cut off');
    expect([altered.code, failed.code]).toEqual([1, 1]);
    await nothingImported();
  });

  test('is not exported to a reader that ends first, or to a full disk', async () => {
    // More than the buffer of a pipe.
    await withDatabase(from.url, (client) =>
      client.query(
        `update appointments set notes = (
           select string_agg(md5(n::text), '') from generate_series(1, 8000) as n
         ) where sub_account_id = $1`,
        [subAccountId],
      ),
    );
    const broken = await shell(`${EXPORT()} | head -c 10 > /dev/null`);
    expect(linesOf(broken.stderr)).toEqual([
      'frontdesk: standard output was closed before the backup was complete: do not use what was written',
    ]);
    const full = await shell(`${EXPORT()} > /dev/full`);
    expect(linesOf(full.stderr)).toEqual([
      'frontdesk: standard output cannot be written: no space left on the disk (ENOSPC)',
    ]);
    expect([broken.code, full.code]).toEqual([1, 1]);
  });

  test('is not imported if it cannot be kept on the disk', async () => {
    const { file } = await exported(from, subAccountId);
    // Files above 1 KB cannot be written.
    const { code, stdout, stderr } = await shell(`ulimit -f 1; ${IMPORT()} < ${file}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(linesOf(stderr)).toEqual([
      `frontdesk: standard input cannot be kept in ${TMPDIR}: the file is larger than the limit of the process (EFBIG); nothing was imported. Set TMPDIR to a folder with room for the export, or import a file`,
    ]);
    const absent = join(TMPDIR, 'absent');
    const nowhere = await shell(`TMPDIR=${absent} ${IMPORT()} < ${file}`);
    expect(nowhere.stderr).toContain(
      `standard input cannot be kept in ${absent}: no such file or directory (ENOENT)`,
    );
    await nothingImported();
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves no temporary file if %s ends the import',
    async (signal) => {
      const child = spawn('bin/frontdesk', ['admin', 'sub-account', 'import', '-'], {
        env: { ...process.env, DATABASE_URL: to.url, ...variables() },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const exited = once(child, 'exit');
      const { file } = await exported(from, subAccountId);
      child.stdin.write((await readFile(file)).subarray(0, 100));
      const descriptors = `/proc/${child.pid}/fd`;
      const opened = async () => {
        const links = (await readdir(descriptors)).map((fd) => readlink(join(descriptors, fd)));
        return Promise.all(links.map((link) => link.catch(() => '')));
      };
      await vi.waitFor(async () => {
        expect((await opened()).filter((path) => path.startsWith(TMPDIR))).toHaveLength(1);
        expect(await readdir(TMPDIR)).toEqual([]);
      }, WAIT);
      child.kill(signal);
      expect(await exited).toEqual([null, signal]);
      await nothingImported();
    },
  );
});
