import { execFile } from 'node:child_process';
import { mkdir, readdir, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { processStart } from '#platform/process/process-lock.ts';
import {
  kill,
  openYard,
  postmasterOf,
  remember,
  remembered,
  rows,
  until,
} from './embedded-postgres.support.ts';

const KEPT = [{ answer: 42 }];

let yard: Awaited<ReturnType<typeof openYard>>;

beforeAll(async () => {
  yard = await openYard();
});
afterEach(() => yard.clear());
afterAll(() => yard.remove());

test('a fresh folder becomes a UTF8 database that orders text alike on every machine', async () => {
  const postgres = await yard.start(join(yard.base, 'fresh/and/deep'));
  const [row] = await rows(
    postgres.url,
    `select 1 as one, pg_encoding_to_char(encoding) as encoding, datlocprovider as provider,
       lower('ÉÑ') as lower, current_setting('timezone') as timezone,
       current_setting('listen_addresses') as address, current_setting('fsync') as fsync
     from pg_database where datname = current_database()`,
  );
  expect(row).toEqual({
    one: 1,
    encoding: 'UTF8',
    provider: 'b',
    lower: 'éñ',
    timezone: 'UTC',
    address: '127.0.0.1',
    fsync: 'off',
  });
  expect(postgres.adopted).toBe(false);
});

test('no other user can list the data folder or read the password', async () => {
  const dataDir = join(yard.base, 'private');
  await yard.start(dataDir);
  const folder = await stat(dataDir);
  const password = await stat(join(dataDir, 'pg.password'));
  expect([folder.mode & 0o067, password.mode & 0o777]).toEqual([0, 0o600]);
});

test('a second start on the same folder keeps the data', async () => {
  const { dataDir, postgres } = await yard.startIn('kept');
  await remember(postgres.url);
  await postgres.stop();
  const again = await yard.start(dataDir);
  expect(await remembered(again.url)).toEqual(KEPT);
  expect(again.adopted).toBe(false);
});

test('a killed server says its last lines, and its data is there after the next start', async () => {
  const { dataDir, postgres } = await yard.startIn('killed');
  await remember(postgres.url);
  process.kill(await postmasterOf(dataDir), 'SIGKILL');
  expect(await postgres.exited).toContain('ready to accept connections');
  await postgres.stop();
  const again = await yard.start(dataDir);
  expect(await remembered(again.url)).toEqual(KEPT);
});

test('stop may be called twice and after the server has died, and says of neither that it exited', async () => {
  const { dataDir, postgres } = await yard.startIn('stopped');
  await postgres.stop();
  await postgres.stop();
  expect(await Promise.race([postgres.exited, sleep(50, 'silence')])).toBe('silence');
  const again = await yard.start(dataDir);
  process.kill(await postmasterOf(dataDir), 'SIGKILL');
  await Promise.all([again.stop(), again.stop()]);
  expect(await readdir(dataDir)).not.toContain('pg.lock');
});

test('a server whose owner was killed is taken over with its data and stops with its new owner', async () => {
  const dataDir = await yard.prepared('orphan');
  const { owner, url } = await yard.ownerElsewhere(dataDir);
  await remember(url);
  const pid = await postmasterOf(dataDir);
  await kill(owner);
  const postgres = await yard.start(dataDir);
  expect([postgres.adopted, postgres.url, await postmasterOf(dataDir)]).toEqual([true, url, pid]);
  expect(await remembered(postgres.url)).toEqual(KEPT);
  await postgres.stop();
  expect(await processStart(pid)).toBeUndefined();
  expect((await yard.start(dataDir)).adopted).toBe(false);
});

test('a server that was taken over is missed when it dies', async () => {
  const dataDir = await yard.prepared('missed');
  const { owner } = await yard.ownerElsewhere(dataDir);
  await kill(owner);
  const postgres = await yard.start(dataDir);
  process.kill(await postmasterOf(dataDir), 'SIGKILL');
  expect(await postgres.exited).toContain('no log');
});

test('two owners of one folder: the second is refused and the first stays', async () => {
  const { dataDir, postgres } = await yard.startIn('owned');
  await expect(yard.start(dataDir)).rejects.toThrow(`is in use by process ${process.pid};`);
  expect(await rows(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a living owner in another process is refused by its id', async () => {
  const dataDir = await yard.prepared('elsewhere');
  const { owner } = await yard.ownerElsewhere(dataDir);
  await expect(yard.start(dataDir)).rejects.toThrow(`is in use by process ${owner.pid};`);
});

test('of several that start at once after a dead owner exactly one owns the folder', async () => {
  const dataDir = await yard.prepared('race');
  const { owner } = await yard.ownerElsewhere(dataDir);
  await kill(owner);
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => yard.start(dataDir)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a postmaster.pid of another process, of none or of garbage is no obstacle', async () => {
  const { dataDir, postgres } = await yard.startIn('stale');
  await remember(postgres.url);
  await postgres.stop();
  for (const text of [`${process.pid}\n/elsewhere\n1\n5432\n`, '99999999\n', 'garbage', '']) {
    await writeFile(join(dataDir, 'pg/postmaster.pid'), text);
    const again = await yard.start(dataDir);
    expect([again.adopted, await remembered(again.url)]).toEqual([false, KEPT]);
    await again.stop();
  }
});

test('a lock whose process id belongs to a later process is no obstacle', async () => {
  const dataDir = await yard.prepared('reused');
  await writeFile(join(dataDir, 'pg.lock'), `${process.pid} 1\n`);
  const postgres = await yard.start(dataDir);
  expect(await rows(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('an initialisation that was killed half-way is started over', async () => {
  const dataDir = join(yard.base, 'half');
  await mkdir(dataDir);
  const owner = yard.spawnOwner(dataDir);
  await until(async () => (await readdir(dataDir)).some((name) => /^pg\.new-\w+$/.test(name)));
  await kill(owner);
  expect(await readdir(dataDir)).not.toContain('pg');
  const postgres = await yard.start(dataDir);
  expect(await rows(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a cluster that has lost parts is refused and left as it is', async () => {
  const dataDir = join(yard.base, 'lost');
  await mkdir(join(dataDir, 'pg/base'), { recursive: true });
  await expect(yard.start(dataDir)).rejects.toThrow(
    `${dataDir}/pg is incomplete: PG_VERSION, global, pg_wal, pg_xact are missing`,
  );
  expect(await readdir(dataDir)).toEqual(['pg']);
});

test.each([
  { given: 'no LANG and umask 077', env: {}, umask: 0o077 },
  { given: 'unknown locales', env: { LANG: 'xx_YY', LC_ALL: 'zz' } },
  {
    given: 'variables that lead PostgreSQL elsewhere',
    env: { PGSSLMODE: 'require', PGPORT: '1', PGDATA: '/nowhere', TZ: 'Asia/Tokyo' },
  },
])('$given: the database is UTF8 and reached all the same', async ({ given, ...options }) => {
  const { url } = await yard.ownerElsewhere(join(yard.base, given), options);
  expect(await rows(url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
});

test('data of another major version is refused', async () => {
  const { dataDir, postgres } = await yard.startIn('major');
  await postgres.stop();
  await writeFile(join(dataDir, 'pg/PG_VERSION'), '17\n');
  await expect(yard.start(dataDir)).rejects.toThrow(
    /is of PostgreSQL 17, but this release runs 18/,
  );
  expect(await readdir(dataDir)).not.toContain('pg.lock');
});

test('data in another encoding is refused, and no server stays behind', async () => {
  const { dataDir, postgres } = await yard.startIn('encoding');
  await rows(
    postgres.url,
    `update pg_database set encoding = 0, datlocprovider = 'c', datlocale = null,
       datcollate = 'C', datctype = 'C' where datname = 'postgres'`,
  );
  await postgres.stop();
  await expect(yard.start(dataDir)).rejects.toThrow(/encoding SQL_ASCII, but Frontdesk needs UTF8/);
  expect(await readdir(join(dataDir, 'pg'))).not.toContain('postmaster.pid');
});

test('a data folder in a home that only its owner enters works, also as root, and leaves the home shut', async () => {
  const home = join(yard.base, 'home');
  const dataDir = join(home, 'data');
  await mkdir(home, { mode: 0o700 });
  const lines: string[] = [];
  const postgres = await yard.start(dataDir, (line) => lines.push(line));
  await remember(postgres.url);
  await postgres.stop();
  const again = await yard.start(dataDir);
  expect(await remembered(again.url)).toEqual(KEPT);
  await again.stop();
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  const isRoot = process.getuid?.() === 0;
  // Only as root another user runs the server, who cannot enter this home.
  const cluster = await realpath(join(dataDir, 'pg'));
  expect(cluster.startsWith(home)).toBe(!isRoot);
  expect(lines.some((line) => line.includes(`is in ${cluster}`))).toBe(isRoot);
  await rm(cluster, { recursive: true });
  await rm(`${cluster}.password`);
  await rmdir(dirname(cluster)).catch(() => {});
});

test.runIf(process.getuid?.() === 0)('a data folder that was given to root starts', async () => {
  const { dataDir, postgres } = await yard.startIn('given-to-root');
  await remember(postgres.url);
  await postgres.stop();
  await promisify(execFile)('chown', ['-R', 'root:root', dataDir]);
  const again = await yard.start(dataDir);
  expect(await remembered(again.url)).toEqual(KEPT);
});
