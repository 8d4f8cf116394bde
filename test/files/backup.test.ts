import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFile, writeFile } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';
import { readWhole, type FileStore } from '#core/files.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';
import { writeOfAudit } from '#platform/database/work/deferred-writes.ts';
import { AGENCY } from '#lib/id.ts';
import { checkBackup } from '../../src/backup/check-backup.ts';
import { restoreFiles } from '../../src/backup/files.ts';
import { takeScheduledBackup } from '../../src/backup/scheduled-backup.ts';
import { loadBackup } from '../../src/backup/load-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { newDatabase, withDatabase, retell } from '../operations/backup.support.ts';
import { testFiles } from '../support/files.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { liveChatThread, PDF, PNG, removeNow, storedContents, uploaded } from './files.support.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-files-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const newStore = async (): Promise<FileStore> =>
  openFileStore({ ...testFiles(), filesDir: await newFolder() }, { warn: () => undefined });

/** A message with two files. */
async function messageWithFiles(service: TestService): Promise<string[]> {
  const { id } = await liveChatThread(service);
  const ids = [await uploaded(service), await uploaded(service, { bytes: PDF, name: 'a.pdf' })];
  await service.call(`POST /api/v1/conversations/${id}/messages`, {
    body: { channel: 'live_chat', bodyText: '', attachmentIds: ids },
  });
  return ids;
}

const take = async ({ databaseUrl, tools, subAccountId }: TestService, isOne = true) => {
  const file = join(await newFolder(), 'one.backup');
  const only = isOne ? { subAccountId } : {};
  const input = { url: databaseUrl, file, product: '1.0.0', files: tools.files, ...only };
  return writeBackup(input);
};

const waiting = (url: string) =>
  withDatabase(url, async (client) => (await client.query('select from file_deletions')).rowCount);

describe('a backup', () => {
  test('contains the contents of files, and restores them', async ({ service }) => {
    const [png = '', pdf = ''] = await messageWithFiles(service);
    const { file, files } = await take(service, false);
    expect(files.count).toBeGreaterThanOrEqual(2);
    expect((await checkBackup(file)).trailer.files).toEqual(files);
    const url = await newDatabase('migrated');
    const store = await newStore();
    expect(await restoreFiles({ url, file, files: store })).toBe(files.count);
    expect(await waiting(url)).toBe(files.count);
    const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: OPERATOR }, 'x');
    await loadBackup({ url, file, force: true, reason: 'test', audit });
    expect(await waiting(url)).toBe(0);
    const { subAccountId } = service;
    const contentOf = async (id: string) => readWhole((await store.open({ subAccountId, id }))!);
    expect((await contentOf(png)).equals(PNG)).toBe(true);
    expect((await contentOf(pdf)).equals(PDF)).toBe(true);
  });

  test('replaces an installation: contents that it had are removed, unless the backup has them', async ({
    service,
  }) => {
    await messageWithFiles(service);
    const { file } = await take(service, false);
    const url = await newDatabase('migrated');
    const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: OPERATOR }, 'x');
    const load = () => loadBackup({ url, file, force: true, reason: 'test', audit });
    await load();
    await withDatabase(url, (client) =>
      client.query(
        `insert into files (sub_account_id, id, content_id, state, name, type, size, created_at)
         select sub_account_id, gen_random_uuid(), gen_random_uuid(), state, name, type, size, now()
         from files limit 1`,
      ),
    );
    await load();
    expect(await waiting(url)).toBe(1);
  });

  test('brings back a content whose removal is under way, after it has ended', async ({
    service,
  }) => {
    const ids = await messageWithFiles(service);
    const { file } = await take(service);
    const { database, databaseUrl: url, subAccountId, tools } = service;
    await database.rows('delete from files where sub_account_id = $1', [subAccountId]);
    const { promise: mayRemove, resolve: goOn } = Promise.withResolvers<void>();
    const { remove } = tools.files;
    const removing = vi.spyOn(tools.files, 'remove').mockImplementationOnce(async (key) => {
      await mayRemove;
      await remove(key);
    });
    const waits = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const removal = removeNow(service);
    await expect.poll(() => removing.mock.calls.length).toBe(1);
    const restoring = restoreFiles({ url, file, files: tools.files });
    await expect.poll(() => waits.mock.calls.some(([, ms]) => ms === 100)).toBe(true);
    goOn();
    await Promise.all([removal, restoring]);
    expect(await storedContents(service)).toEqual(ids.toSorted());
  });

  test('is prepared while the workers are paused, and they go on if that fails', async ({
    service,
  }) => {
    const { file } = await take(service, false);
    const url = await newDatabase('migrated');
    const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: OPERATOR }, 'x');
    const isPaused = () =>
      withDatabase(url, async (client) => {
        const { rows } = await client.query('select held_since from holding');
        return rows[0]?.held_since !== null;
      });
    const seen: boolean[] = [];
    const prepare = async () => {
      seen.push(await isPaused());
      throw new Error('disk full');
    };
    const load = loadBackup({ url, file, force: true, reason: 'test', audit, prepare });
    await expect(load).rejects.toThrow('disk full');
    expect([...seen, await isPaused()]).toEqual([true, false]);
  });

  test('keeps the older ones if the storage was lost, and says so', async ({ service }) => {
    await messageWithFiles(service);
    const { databaseUrl: url, tools } = service;
    const folder = await newFolder();
    const nightly = (files: FileStore, day: number) =>
      takeScheduledBackup({
        url,
        folder,
        keep: 1,
        product: '1.0.0',
        files,
        secrets: undefined,
        now: new Date(Date.UTC(2026, 10, day)),
      });
    await nightly(tools.files, 27);
    await expect(nightly(await newStore(), 28)).rejects.toThrow(
      /was written, but \d+ of \d+ files are missing in the storage/,
    );
    expect(await readdir(folder)).toHaveLength(2);
    const { removed } = await nightly(tools.files, 29);
    expect(removed).toHaveLength(2);
  });

  test('counts contents that the storage lacks', async ({ service }) => {
    const [png = ''] = await messageWithFiles(service);
    await service.tools.files.remove({ subAccountId: service.subAccountId, id: png });
    const { files } = await take(service);
    expect(files).toEqual({ count: 1, bytes: PDF.length, missing: 1 });
  });

  test('of one sub-account has no content of others', async ({ service }) => {
    await messageWithFiles(service);
    await uploaded(service, { key: 'other' });
    expect((await take(service)).files.count).toBe(2);
  });

  test('is refused if a content was altered', async ({ service }) => {
    await messageWithFiles(service);
    const { file } = await take(service);
    const bytes = gunzipSync(await readFile(file));
    bytes[bytes.indexOf('%PDF-1.7') + 1] = 0x58;
    await writeFile(file, gzipSync(bytes));
    await expect(checkBackup(file)).rejects.toThrow(/altered|damaged|changed/);
  });

  test('of a sub-account cannot bring contents for another one', async ({ service }) => {
    await messageWithFiles(service);
    const { file } = await take(service);
    const url = await newDatabase('migrated');
    const subAccountId = crypto.randomUUID();
    const files = await newStore();
    const restored = restoreFiles({ url, file, files, subAccountId });
    await expect(restored).rejects.toThrow(`${file} was altered`);
  });

  test('of a sub-account is refused as altered if a content names another one', async ({
    service,
  }) => {
    await messageWithFiles(service);
    const { file } = await take(service);
    const { subAccountId } = service;
    const other = crypto.randomUUID();
    await retell(file, (text) => text.replace(`"of":"${subAccountId}"`, `"of":"${other}"`));
    await expect(checkBackup(file)).rejects.toThrow(`${file} was altered`);
    const url = await newDatabase('migrated');
    const restored = restoreFiles({ url, file, files: await newStore(), subAccountId });
    await expect(restored).rejects.toThrow(`${file} was altered`);
  });
});
