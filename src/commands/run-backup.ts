import type { Outcome } from '#kit/command.ts';
import { checkBackup } from '#platform/backup/check-backup.ts';
import { writeBackup } from '#platform/backup/write-backup.ts';
import { readEnvironment } from '#platform/environment.ts';
import { withEnvironmentFile } from '#platform/environment-file.ts';
import { secretsOf } from '#platform/secrets.ts';
import { requireItsKey } from '#platform/backup/check-backup.ts';
import { version } from './version.ts';

export async function runBackup(file: string): Promise<Outcome> {
  const { databaseUrl } = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const written = await writeBackup(databaseUrl, file, version());
  const { bytes, takenAt, rows } = written;
  const text = `wrote ${file}: ${sumOf(rows)} rows of ${Object.keys(rows).length} tables as of ${takenAt}, ${bytes} bytes
What it holds encrypted needs FRONTDESK_SECRET_KEY, which it does not hold: keep that apart from it.`;
  return { json: written, text };
}

export async function runVerify(file: string): Promise<Outcome> {
  const { secretKey } = readEnvironment(withEnvironmentFile(process.env));
  const { header, trailer } = await checkBackup(file);
  if (secretKey) {
    requireItsKey(file, header, secretsOf(secretKey));
  }
  const { product, takenAt, migrations } = header;
  const { rows, sha256 } = trailer;
  return {
    json: { file, product, takenAt, schema: migrations.at(-1) ?? null, rows, sha256 },
    text: `${file} is whole: ${sumOf(rows)} rows as of ${takenAt}, written by Frontdesk ${product}${secretKey ? ', for the key that is set' : ''}`,
  };
}

export const sumOf = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);
