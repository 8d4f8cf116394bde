import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { databaseOnlyText } from '../../../src/commands/up/database-only.ts';
import { createDatabase } from '../../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../../support/frontdesk.ts';

// Each start runs its own PostgreSQL.
vi.setConfig({ testTimeout: 120_000 });

let base: string;
let data: string;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'frontdesk-folder-'));
  // PostgreSQL refuses to run as root, so another user has to reach it.
  chmodSync(base, 0o755);
  data = join(base, 'data');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const fileOf = (folder: string) => join(folder, 'frontdesk.env');
const up = (folder: string, variables: Variables = {}) =>
  startFrontdesk(['up', '--port', '0', '--data', folder], variables);
const refusedUp = (folder: string, variables: Variables = {}) =>
  frontdesk(['up', '--port', '0', '--data', folder], variables);
const list = (variables: Variables) =>
  frontdesk(['admin', 'sub-account', 'list', '--json'], variables);

describe('the environment file that up wrote', () => {
  test('is not read by up itself, even if it names a missing database', async () => {
    const first = await up(data);
    expect(await first.end('SIGINT')).toBe(0);
    const variables = { FRONTDESK_ENV_FILE: fileOf(data) };
    const again = await up(data, variables);
    expect((await list(variables)).code).toBe(0);
    expect(await again.end('SIGINT')).toBe(0);
  });

  test('lets other commands say that nothing runs there, and how to start it', async () => {
    const { code, stdout, stderr } = await list({ FRONTDESK_ENV_FILE: fileOf(data) });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`nothing is running on ${data}; start it with `);
    const [, port] = /FRONTDESK_PORT="(\d+)"/.exec(readFileSync(fileOf(data), 'utf8')) ?? [];
    expect(stderr).toContain(`up --data ${data} --port ${port}"`);
  });

  test('of one data folder does not affect an up on another folder', async () => {
    const first = await up(data);
    const variables = { FRONTDESK_ENV_FILE: fileOf(data) };
    const other = join(base, 'other');
    const beside = await up(other, variables);
    const key = (folder: string) => readFileSync(join(folder, 'secret-key'), 'utf8');
    expect(key(other)).not.toBe(key(data));
    expect(await beside.end()).toBe(0);
    expect((await list(variables)).code).toBe(0);
    expect(await first.end()).toBe(0);
  });

  test('is replaced with a private file; a link in its place is not followed', async () => {
    const target = join(base, 'of-another-user');
    writeFileSync(target, 'theirs');
    rmSync(fileOf(data));
    symlinkSync(target, fileOf(data));
    const running = await up(data);
    expect(lstatSync(fileOf(data)).isFile()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    expect(await running.end()).toBe(0);
    chmodSync(fileOf(data), 0o644);
    const again = await up(data);
    expect(statSync(fileOf(data)).mode & 0o777).toBe(0o600);
    expect(await again.end()).toBe(0);
  });
});

test('a second up on a data folder names the first, changes nothing and exits 1', async () => {
  const first = await up(data);
  const before = readFileSync(fileOf(data), 'utf8');
  const { port } = new URL(first.said.url);
  const database = await createDatabase('empty');
  for (const variables of [
    {},
    { FRONTDESK_ENV_FILE: fileOf(data) },
    { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() },
  ]) {
    const { code, stdout, stderr } = await refusedUp(data, variables);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`already runs on ${data}: http://localhost:${port}, process `);
    expect(stderr).toContain(String(first.process.pid));
    expect(stderr).toContain('--data');
  }
  expect(readFileSync(fileOf(data), 'utf8')).toBe(before);
  expect((await list({ FRONTDESK_ENV_FILE: fileOf(data) })).code).toBe(0);
  expect(await first.end()).toBe(0);
  await database.drop();
});

test('a killed up does not prevent the next start', async () => {
  const first = await up(data);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  const again = await up(data);
  expect(await again.end()).toBe(0);
});

describe('a data folder with missing parts is refused and not changed', () => {
  const cluster = () => join(data, 'postgres/pg');

  test('the version of its database', async () => {
    const away = join(base, 'away');
    renameSync(join(cluster(), 'PG_VERSION'), away);
    const before = readdirSync(join(data, 'postgres')).sort();
    const { code, stderr } = await refusedUp(data);
    expect(code).toBe(1);
    expect(stderr).toContain(`${cluster()} is incomplete: PG_VERSION is missing`);
    expect(readdirSync(join(data, 'postgres')).sort()).toEqual(before);
    renameSync(away, join(cluster(), 'PG_VERSION'));
  });

  test('the password of its database', async () => {
    const [file, away] = [`${cluster()}.password`, join(base, 'away')];
    renameSync(file, away);
    const { code, stderr } = await refusedUp(data);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} is missing`);
    expect(stderr).toContain('DATABASE_URL in frontdesk.env contains it, too');
    renameSync(away, file);
  });

  test('the whole database, beside the file that the last up wrote', async () => {
    const [postgres, away] = [join(data, 'postgres'), join(base, 'away')];
    renameSync(postgres, away);
    const before = readdirSync(data).sort();
    const { code, stderr } = await refusedUp(data);
    expect(code).toBe(1);
    expect(stderr).toContain(`put the folder ${postgres} back`);
    const variables = { FRONTDESK_ENV_FILE: fileOf(data) };
    expect((await list(variables)).stderr).toContain(`put its database back to ${cluster()}, then`);
    expect(readdirSync(data).sort()).toEqual(before);
    renameSync(away, postgres);
  });

  test('the secret key', async () => {
    const away = join(base, 'away');
    renameSync(join(data, 'secret-key'), away);
    const { stderr: advice } = await list({ FRONTDESK_ENV_FILE: fileOf(data) });
    expect(advice).toContain(`to ${join(data, 'secret-key')}, which is missing, then start it`);
    const { code, stderr } = await refusedUp(data);
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(data, 'secret-key')} is missing`);
    expect(stderr).toContain(
      `the key is also in ${fileOf(data)}: copy the value of FRONTDESK_SECRET`,
    );
    expect(readdirSync(data)).not.toContain('secret-key');
    renameSync(away, join(data, 'secret-key'));
    const running = await up(data);
    expect(await running.end()).toBe(0);
  });
});

describe('up --database-only', () => {
  const databaseOnly = () => startFrontdesk(['up', '--database-only', '--data', data], {});
  const variables = () => ({ FRONTDESK_ENV_FILE: fileOf(data) });
  const written = () => parseEnv(readFileSync(fileOf(data), 'utf8'));
  const keyFile = () => join(data, 'secret-key');
  const away = () => join(base, 'away-key');

  test('keeps the last copy of a missing key, which then starts the installation', async () => {
    const first = await up(data);
    const create = ['admin', 'sub-account', 'create', '--name', 'Kept'];
    expect((await frontdesk(create, variables())).code).toBe(0);
    expect(await first.end()).toBe(0);
    renameSync(keyFile(), away());
    const key = readFileSync(away(), 'utf8').trim();
    const running = await databaseOnly();
    expect(running.said).toEqual({
      data,
      environmentFile: fileOf(data),
      keyFile: fileOf(data),
    });
    expect(written()).toMatchObject({
      FRONTDESK_SECRET_KEY: key,
      FRONTDESK_PORT: expect.stringMatching(/^\d+$/),
    });
    expect((await refusedUp(data)).stderr).toContain('only its database, with --database-only');
    expect(await running.end('SIGINT')).toBe(0);
  });

  test('names the commands for a backup if the key is there, else those for an export', () => {
    const key = { file: keyFile(), text: newKey() };
    const withKey = databaseOnlyText(data, fileOf(data), key);
    expect(withKey).toContain('\nbin/frontdesk backup move.backup\n');
    expect(withKey).not.toContain('--without-secrets');
    const without = databaseOnlyText(data, fileOf(data), undefined);
    expect(without).toContain('--without-secrets');
    expect(without).not.toContain('backup');
  });

  test('lets sub-accounts leave a database whose key is lost', async () => {
    writeFileSync(keyFile(), `${newKey()}\n`);
    const hint = await refusedUp(data);
    expect(hint.stderr).toContain(`${keyFile()} is not the key of the database in ${data}`);
    expect(hint.stderr).toContain(`${fileOf(data)} contains that key: copy the value to`);
    rmSync(fileOf(data));
    const refused = await refusedUp(data);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('If it is lost, frontdesk up --database-only starts');

    for (const hasKeyFile of [true, false]) {
      rmSync(fileOf(data), { force: true });
      if (!hasKeyFile) {
        rmSync(keyFile());
      }
      const running = await databaseOnly();
      expect(running.said.keyFile).toBe(null);
      expect(Object.keys(written())).toEqual(['DATABASE_URL', 'FRONTDESK_FILES_DIR']);
      const listed = await list(variables());
      const [{ id }] = JSON.parse(listed.stdout);
      const file = join(base, `${hasKeyFile}.frontdesk`);
      const args = ['admin', 'sub-account', 'export', id, file, '--json'];
      const exported = await frontdesk(args, variables());
      expect(JSON.parse(exported.stdout)).toMatchObject({ keyMatches: false });
      const other = await frontdesk(['admin', 'key', 'list'], variables());
      expect(other.stderr).toContain('FRONTDESK_SECRET_KEY is not set');
      expect(await running.end()).toBe(0);
    }
    renameSync(away(), keyFile());
    const running = await up(data);
    expect(await running.end()).toBe(0);
  });

  test('is refused without a database, with DATABASE_URL, and with options of the server', async () => {
    const empty = join(base, 'empty');
    const none = await frontdesk(['up', '--database-only', '--data', empty]);
    expect(none).toMatchObject({ code: 1 });
    expect(none.stderr).toContain(`there is no database in ${join(empty, 'postgres')}`);
    expect(readdirSync(base)).not.toContain('empty');
    const given = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const set = await frontdesk(['up', '--database-only', '--data', data], given);
    expect(set).toMatchObject({ code: 2 });
    const both = await frontdesk(['up', '--database-only', '--demo', '--data', data]);
    expect(both).toMatchObject({ code: 2 });
  });
});
