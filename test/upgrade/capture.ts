// Writes the backup that `releases.test.ts` upgrades from. Run it with each release, before its
// version is raised again. `node test/upgrade/capture.ts`
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start-embedded-postgres.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { migrateInstallation } from '../../src/commands/migrate.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';
import { version } from '../../src/platform/process/version.ts';
import { populate } from '../support/populate/populate.ts';
import { digestsOf, FOLDER, SECRET_KEY } from './release.ts';

const release = version();
const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-capture-'));
const { url, stop } = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
try {
  await migrateInstallation(url, SECRET_KEY, pino({ level: 'silent' }));
  const client = new Client({ connectionString: url });
  await client.connect();
  await populate(client, secretsOf(SECRET_KEY));
  await client.end();
  await mkdir(FOLDER, { recursive: true });
  const file = join(FOLDER, `${release}.backup`);
  const settings = { filesDir: join(dataDir, 'files'), filesMaxBytes: 1, filesS3Region: '' };
  const files = openFileStore(settings, { warn: () => undefined });
  const { bytes } = await writeBackup({ url, file, product: release, files });
  const beside = { version: release, migrations: digestsOf(migrations) };
  await writeFile(join(FOLDER, `${release}.json`), `${JSON.stringify(beside, undefined, 2)}\n`);
  process.stdout.write(`wrote ${file}, ${bytes} bytes\n`);
} finally {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
}
