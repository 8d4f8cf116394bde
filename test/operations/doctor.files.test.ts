import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FileStore } from '#core/files.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';
import type { Examined } from '../../src/operations/doctor/check.ts';
import { fileStorage, files } from '../../src/operations/doctor/installation/files.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { testFiles } from '../support/files.ts';

const SUB = randomUUID();

let database: TestDatabase;
let client: Client;
let folder: string;
let store: FileStore;

const storeIn = (filesDir: string): FileStore =>
  openFileStore({ ...testFiles(), filesDir }, { warn: () => undefined });

beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into sub_accounts (id, location_id, name, timezone, currency, locale, sandbox,
       created_at, updated_at)
     values ($1, 'l', 'Harbour', 'UTC', 'EUR', 'en', false, now(), now())`,
    [SUB],
  );
});
beforeEach(async () => {
  await client.query('delete from files');
  await client.query('delete from file_deletions');
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-doctor-files-'));
  store = storeIn(folder);
  return () => rm(folder, { recursive: true });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const examine = (examined: FileStore = store, check = files) =>
  check.examine({
    files: examined,
    rows: async (text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows,
  } as unknown as Examined);

const put = (id: string) => store.put({ subAccountId: SUB, id }, Buffer.from('x'));

/** A row, whose content need not exist. */
async function addRow(id: string = randomUUID()): Promise<string> {
  await client.query(
    `insert into files (sub_account_id, id, content_id, state, name, type, size, created_at)
     values ($1, $2, $2, 'stored', 'a.txt', 'text/plain', 1, now())`,
    [SUB, id],
  );
  return id;
}

const addDeletion = (id: string, dueBefore: string) =>
  client.query(
    `insert into file_deletions (sub_account_id, content_id, due_at)
     values ($1, $2, now() - $3::interval)`,
    [SUB, id, dueBefore],
  );

describe("doctor's check of the file storage", () => {
  test('writes, reads and removes a file, and leaves none', async () => {
    const id = await addRow();
    await put(id);
    expect(await examine()).toEqual({ status: 'ok', message: expect.stringContaining(folder) });
    const ids: string[] = [];
    for await (const key of store.list()) {
      ids.push(key.id);
    }
    expect(ids).toEqual([id]);
    expect(await readdir(folder)).toEqual([SUB]);
  });

  test('creates no folder: a missing one is fine before the first file, and a failure after it', async () => {
    const typo = join(folder, 'nope', 'typo');
    const missing = storeIn(typo);
    expect(await examine(missing)).toEqual({
      status: 'ok',
      message: `there is no folder ${typo} yet; the first file creates it`,
    });
    expect(await examine(missing, fileStorage)).toMatchObject({
      status: 'warn',
      message: `there is no folder ${typo}`,
      fix: expect.stringContaining('FRONTDESK_FILES_DIR'),
    });
    await addRow();
    expect(await examine(missing)).toMatchObject({
      status: 'fail',
      message: `there is no folder ${typo}, but files are stored`,
      fix: expect.stringContaining('FRONTDESK_FILES_DIR'),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('fails if the storage cannot be used, and says which and why', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { status, message, fix } = await examine(storeIn(join(file, 'inside')));
    expect(status).toBe('fail');
    expect(message).toContain(`${file}/inside`);
    expect(message).toMatch(/cannot be used: ./);
    expect(fix).toContain('FRONTDESK_FILES_DIR');
  });

  test('warns about contents that the storage lacks', async () => {
    await put(await addRow());
    const missing = await addRow();
    const { status, message, fix } = await examine();
    expect(status).toBe('warn');
    expect(message).toContain('lacks 1 of the newest 20 files');
    expect(message).toContain(missing);
    expect(fix).toContain('the same storage');
  });

  test('warns about deleted files that wait for removal for over an hour', async () => {
    await addDeletion(randomUUID(), '30 minutes');
    expect((await examine()).status).toBe('ok');
    await addDeletion(randomUUID(), '2 hours');
    expect(await examine()).toMatchObject({
      status: 'warn',
      message: '1 deleted file waited an hour for removal',
      fix: expect.stringContaining('worker'),
    });
    await addDeletion(randomUUID(), '3 hours');
    expect((await examine()).message).toContain('2 deleted files');
  });

  test('warns about contents without a record; those to be removed are none of them', async () => {
    const leaving = randomUUID();
    await put(leaving);
    await addDeletion(leaving, '0 minutes');
    expect((await examine()).status).toBe('ok');
    await put(randomUUID());
    const { status, message, fix } = await examine();
    expect(status).toBe('warn');
    expect(message).toContain('contains 1 file without a record');
    expect(fix).toContain('another installation');
  });
});
