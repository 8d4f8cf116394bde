import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readWhole, type FileKey, type FileStore } from '#core/files.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';
import { storedName, type StorageSettings } from '#platform/files/storage/storage.ts';

const LIMIT = { filesMaxBytes: 1_000, filesS3Region: 'us-east-1' };
const KEYS = { filesS3KeyId: 'S3RVER', filesS3Secret: 'S3RVER' };

const warnings: object[] = [];
const log = { warn: (facts: object) => void warnings.push(facts) } as never;
const openStore = (settings: StorageSettings): FileStore => openFileStore(settings, log);

const newKey = (): FileKey => ({ subAccountId: crypto.randomUUID(), id: crypto.randomUUID() });

const failedFor = (reason: RegExp) => ({ status: 'failed', reason: expect.stringMatching(reason) });

async function listed(store: FileStore): Promise<FileKey[]> {
  const found: FileKey[] = [];
  for await (const key of store.list()) {
    found.push(key);
  }
  return found;
}

let folder: string;
let s3: { stop(): Promise<void>; port: number };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-storage-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await server.run();
  s3 = { port, stop: () => server.close() };
});

afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

const STORAGES: readonly (readonly [string, () => StorageSettings])[] = [
  ['a folder', () => ({ ...LIMIT, filesDir: join(folder, 'files') })],
  ['a bucket', () => ({ ...LIMIT, ...KEYS, filesDir: '', filesS3Url: `${s3Url()}/files` })],
  [
    'a folder of a bucket',
    () => ({ ...LIMIT, ...KEYS, filesDir: '', filesS3Url: `${s3Url()}/files/of/frontdesk` }),
  ],
];
const s3Url = () => `http://127.0.0.1:${s3.port}`;

test('removing a file removes what a killed process left of storing it', async () => {
  const filesDir = join(folder, 'drafts');
  const store = openStore({ ...LIMIT, filesDir });
  const [killed, other] = [newKey(), newKey()];
  await store.put(other, Buffer.from('text'));
  const drafts = [killed, other].map((key) => `${storedName(key)}.${crypto.randomUUID()}.part`);
  for (const draft of drafts) {
    await mkdir(join(filesDir, dirname(draft)), { recursive: true });
    await writeFile(join(filesDir, draft), 'te');
  }
  await store.remove(killed);
  const left = await readdir(filesDir, { recursive: true });
  expect(left.filter((name) => name.endsWith('.part'))).toEqual(drafts.slice(1));
  expect(await listed(store)).toEqual([other]);
});

const NOBODY = 65_534;

test.runIf(process.getuid?.() === 0)(
  'files that root stores belong to the owner of the folder',
  async () => {
    const owned = join(folder, 'owned');
    await mkdir(owned);
    await chown(owned, NOBODY, NOBODY);
    for (const filesDir of [owned, join(owned, 'new')]) {
      const key = newKey();
      await openStore({ ...LIMIT, filesDir }).put(key, Buffer.from('text'));
      const made = await readdir(filesDir, { recursive: true });
      expect(made.length).toBeGreaterThan(1);
      for (const name of made) {
        expect(await stat(join(filesDir, name))).toMatchObject({ uid: NOBODY, gid: NOBODY });
      }
    }
  },
);

describe.for(STORAGES)('%s', ([, settings]) => {
  test('returns what was stored, lists it, and forgets it when it is removed', async () => {
    const store = openStore(settings());
    const key = newKey();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await store.put(key, bytes);
    const found = await store.open(key);
    expect(found?.sizeBytes).toBe(256);
    expect((await readWhole(found!)).equals(bytes)).toBe(true);
    expect(await listed(store)).toEqual([key]);
    await store.remove(key);
    await store.remove(key);
    expect(await store.open(key)).toBeUndefined();
    expect(await listed(store)).toEqual([]);
  });

  test('replaces a content as a whole', async () => {
    const store = openStore(settings());
    const key = newKey();
    await store.put(key, Buffer.from('a longer content'));
    await store.put(key, Buffer.from('short'));
    expect((await readWhole((await store.open(key))!)).toString()).toBe('short');
    await store.remove(key);
  });

  test('is probed by writing, reading and removing a file', async () => {
    const store = openStore(settings());
    await store.put(newKey(), Buffer.from('x'));
    const before = await listed(store);
    expect(await store.probe()).toEqual({ status: 'usable' });
    expect(await listed(store)).toEqual(before);
    await Promise.all(before.map(store.remove));
  });

  test('takes no key that could lead elsewhere', async () => {
    const store = openStore(settings());
    for (const id of ['../../etc/passwd', 'A', '', crypto.randomUUID().toUpperCase()]) {
      const key = { ...newKey(), id };
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('try again');
    }
  });
});

describe('a folder', () => {
  test('is readable by its owner alone, and skips what others left', async () => {
    const filesDir = join(folder, 'private');
    const store = openStore({ ...LIMIT, filesDir });
    const key = newKey();
    await store.put(key, Buffer.from('x'));
    const inside = join(filesDir, key.subAccountId, key.id.slice(-2));
    expect((await stat(join(inside, key.id))).mode & 0o777).toBe(0o600);
    await writeFile(join(inside, `${key.id}.draft.part`), 'unfinished');
    expect(await listed(store)).toEqual([key]);
    expect(await readdir(inside)).toHaveLength(2);
  });

  test('is as before after a probe, which creates none', async () => {
    const filesDir = join(folder, 'probed');
    const store = openStore({ ...LIMIT, filesDir });
    expect(await store.probe()).toEqual({ status: 'missing' });
    expect(existsSync(filesDir)).toBe(false);
    await mkdir(filesDir);
    expect(await store.probe()).toEqual({ status: 'usable' });
    expect(await readdir(filesDir)).toEqual([]);
  });

  test('that cannot be written is SERVICE_UNAVAILABLE without its path, which is logged', async () => {
    const blocked = join(folder, 'a-file');
    await writeFile(blocked, '');
    const store = openStore({ ...LIMIT, filesDir: blocked });
    warnings.length = 0;
    const failed = store.put(newKey(), Buffer.from('x'));
    await expect(failed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(failed).rejects.not.toThrow(blocked);
    expect(warnings).toMatchObject([{ storage: blocked }]);
    expect(await store.probe()).toEqual(failedFor(/ENOTDIR|not a folder|not a directory/));
  });
});

describe('a bucket', () => {
  test('needs both of its keys', () => {
    const settings = { ...LIMIT, filesDir: '', filesS3Url: `${s3Url()}/files` };
    expect(() => openStore(settings)).toThrow('FRONTDESK_FILES_S3_KEY_ID');
  });

  test('that is missing, or refuses the key, is reported by the probe', async () => {
    const missing = openStore({ ...LIMIT, ...KEYS, filesDir: '', filesS3Url: `${s3Url()}/none` });
    expect(await missing.probe()).toEqual(failedFor(/404 NoSuchBucket/));
    const filesS3KeyId = 'unknown';
    const filesS3Url = `${s3Url()}/files`;
    const refused = openStore({ ...LIMIT, ...KEYS, filesS3KeyId, filesDir: '', filesS3Url });
    expect(await refused.probe()).toEqual(failedFor(/403 InvalidAccessKeyId/));
  });

  test('that redirects elsewhere is refused: the request carries a signature', async () => {
    const store = await bucketOf((_, response) => {
      response.writeHead(307, { location: `${s3Url()}/files/x` }).end();
    });
    expect(await store.probe()).toMatchObject({ status: 'failed' });
  });

  test('whose text never ends is left', async () => {
    const store = await bucketOf(({ method }, response) => {
      response.writeHead(method === 'GET' ? 200 : 403);
      sendForever(response);
    });
    expect(await store.probe()).toEqual(failedFor(/more text than S3 does/));
    await expect(listed(store)).rejects.toThrow('more text than S3 does');
  });

  test.for([
    ['in chunks', {}, 'text'],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync('text')],
    [
      'compressed, with the length',
      { 'content-encoding': 'gzip', 'content-length': '24' },
      gzipSync('text'),
    ],
  ] as const)('that sends a file %s states no size', async ([, headers, body]) => {
    const store = await bucketOf((_, response) => {
      response.writeHead(200, headers).end(body);
    });
    const file = await store.open(newKey());
    expect(file?.sizeBytes).toBeUndefined();
    expect((await readWhole(file!)).toString()).toBe('text');
  });

  test('whose list leads to the same page again is left', async () => {
    const store = await bucketOf((_, response) => {
      response.end('<NextContinuationToken>again</NextContinuationToken>');
    });
    await expect(listed(store)).rejects.toThrow('a page of its list twice');
  });
});

/** Opens a store whose bucket is on a server that does what it likes. */
async function bucketOf(listener: RequestListener): Promise<FileStore> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as { port: number };
  const filesS3Url = `http://127.0.0.1:${port}/files`;
  return openStore({ ...LIMIT, ...KEYS, filesDir: '', filesS3Url });
}

function sendForever(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const send = () => {
    while (!response.destroyed && response.write(piece)) {
      // Until the other side reads more slowly.
    }
  };
  response.on('drain', send);
  send();
}
