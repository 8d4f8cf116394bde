import { testFileStore } from '../support/files.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBackup } from '../../src/backup/check-backup.ts';
import { loadBackup } from '../../src/backup/load-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { applyEarlierMigrations } from '#platform/database/migrate/migrate.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { newDatabase, newFolder, run, withDatabase } from '../operations/backup.support.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { populate } from '../support/populate/populate.ts';
import { schemaOf } from '../support/schema-of.ts';
import { caller } from '../support/service.ts';
import { digestsOf, FOLDER, SECRET_KEY, type Release } from './release.ts';
import { lostOf, rowsIn } from './rows.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Headings of the changelog that name releases. */
const RELEASED = [...textOf('CHANGELOG.md').matchAll(/^## v?(\d+\.\d+\.\d+)/gm)].map(
  ([, version = '']) => version,
);
const CAPTURED = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.backup'))
  .map((name) => name.slice(0, -'.backup'.length));

const READS = [
  'contacts',
  'conversations',
  'opportunities',
  'tasks',
  'calendars',
  'calendars/appointments',
  'webhooks',
  'events',
  'pipelines',
];

/** Restores a backup into its own schema, without later migrations. */
async function restoredAsItWas(file: string): Promise<string> {
  const { header } = await checkBackup(file);
  const url = await newDatabase();
  await applyEarlierMigrations(url, migrations.slice(0, header.migrations.length));
  const audit = { text: 'select 1', values: [] };
  await loadBackup({ url, file, force: false, reason: 'test', audit });
  return url;
}

describe('releases', () => {
  test('that the changelog names are all present, including the current one', () => {
    const { version } = JSON.parse(textOf('package.json'));
    expect(CAPTURED).toEqual(expect.arrayContaining([...RELEASED, version]));
  });
});

describe.each(CAPTURED)('a database of release %s', (release) => {
  const file = join(FOLDER, `${release}.backup`);

  test('was made by migrations that were not edited since', () => {
    const beside = JSON.parse(readFileSync(join(FOLDER, `${release}.json`), 'utf8')) as Release;
    const names = Object.keys(beside.migrations);
    expect(beside.version).toBe(release);
    expect(
      digestsOf(migrations.slice(0, names.length)),
      'a step was edited: write another one; while the release is not out, node test/upgrade/capture.ts',
    ).toEqual(beside.migrations);
  });

  test('is restored by this release with all its rows, and served', async () => {
    const before = await withDatabase(await restoredAsItWas(file), rowsIn);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    const url = await newDatabase();
    const secretKey = SECRET_KEY.toString('base64');
    const restored = await run(['restore', file], url, { FRONTDESK_SECRET_KEY: secretKey });
    expect(restored.stderr).not.toContain('this is a bug');
    expect(restored).toMatchObject({ code: 0, json: { held: true } });
    expect(lostOf(before, await withDatabase(url, rowsIn))).toEqual([]);
    const fresh = await newDatabase('migrated');
    expect(await withDatabase(url, schemaOf)).toEqual(await withDatabase(fresh, schemaOf));

    const [subAccount] = before['sub_accounts'] ?? [];
    const variables = { DATABASE_URL: url, FRONTDESK_SECRET_KEY: secretKey };
    const line = `admin key create --name K --scopes all --sub-account ${String(subAccount?.['id'])}`;
    const { json: issued } = await run(line.split(' '), url, variables);
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    const call = caller(said.url, { full: issued.key });
    const found: string[] = [];
    for (const path of READS) {
      const { status, body } = await call(`GET /api/v1/${path}`);
      found.push(`${path} ${status} ${body.data?.length > 0 ? 'with rows' : 'empty'}`);
    }
    expect(found).toEqual(READS.map((path) => `${path} 200 with rows`));
  });
});

describe('a backup of an earlier schema', () => {
  test('is restored into an empty database and migrated', async () => {
    const earlier = migrations.slice(0, -1);
    const from = await newDatabase();
    await applyEarlierMigrations(from, earlier);
    await withDatabase(from, (client) => populate(client, secretsOf(SECRET_KEY)));
    const before = await withDatabase(from, rowsIn);
    const file = join(await newFolder(), 'one.backup');
    await writeBackup({ url: from, file, product: '0.0.1', files: testFileStore() });
    const url = await newDatabase();
    const restored = await run(['restore', file], url);
    expect(restored).toMatchObject({ code: 0, json: { migrated: [migrations.at(-1)?.name] } });
    expect(lostOf(before, await withDatabase(url, rowsIn))).toEqual([]);
    const migrated = await newDatabase('migrated');
    const refused = await run(['restore', file], migrated);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('is ahead of');
  });
});
