import { randomUUID } from 'node:crypto';
import type { Outcome } from '#kit/command.ts';
import { AGENCY } from '#kit/id.ts';
import type { Actor } from '#kit/work.ts';
import { tablesOf } from '#platform/backup/catalogue.ts';
import { checkBackup, requireItsKey, requireSameSchema } from '#platform/backup/check-backup.ts';
import { loadBackup } from '#platform/backup/load-backup.ts';
import { requireEmpty } from '#platform/backup/require-empty.ts';
import { readEnvironment } from '#platform/environment.ts';
import { withEnvironmentFile } from '#platform/environment-file.ts';
import { writeOfAudit } from '#platform/ledger.ts';
import { applyMigrations } from '#platform/migrate.ts';
import { withClient } from '#platform/schema-state.ts';
import { secretsOf } from '#platform/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { osUser } from './os-user.ts';
import { sumOf } from './run-backup.ts';

interface Wanted {
  readonly file: string;
  readonly force: boolean;
}

/** Whatever can be refused is refused before anything is written. */
export async function runRestore({ file, force }: Wanted): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseUrl: url, secretKey } = environment;
  const { header } = await checkBackup(file);
  const names = migrations.map(({ name }) => name);
  requireSameSchema(file, header, names);
  if (secretKey) {
    requireItsKey(file, header, secretsOf(secretKey));
  }
  if (!force) {
    await requireEmptyAt(url);
  }
  await applyMigrations(url, migrations);
  const reason = `restored from a backup of ${header.takenAt}`;
  const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: restorer() }, BACKUP);
  const { rows } = await loadBackup({ url, file, force, reason, audit });
  return {
    json: { file, takenAt: header.takenAt, rows, held: true },
    text: `restored ${sumOf(rows)} rows as of ${header.takenAt}, and counted them
Workers are held: what came due since then is not sent before you say so. Look around, then run
  frontdesk admin release`,
  };
}

/** Under this name audit entries know what is restored. */
const BACKUP = 'backup';

const restorer = (): Actor => ({
  kind: 'cli',
  name: osUser(),
  requestId: randomUUID(),
  operation: 'restore',
});

const requireEmptyAt = (url: string) =>
  withClient(url, async (client) => {
    const ask = async <T extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, values as unknown[])).rows as T[];
    await requireEmpty(ask, await tablesOf(ask));
  });
