import type { Outcome } from '#kit/command.ts';
import { openDatabase } from '#platform/database.ts';
import { readEnvironment } from '#platform/environment.ts';
import { withEnvironmentFile } from '#platform/environment-file.ts';
import { adoptSecretKey, refuseWrongKey } from '#platform/installation.ts';
import type { Logger } from '#platform/logger.ts';
import { pendingMigrations } from '#platform/schema-state.ts';
import { secretsOf } from '#platform/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { flushed, openLog } from './open-log.ts';

interface Wanted {
  readonly apply: boolean;
  readonly isCheck: boolean;
}

export async function runMigrate({ apply, isCheck }: Wanted): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), [
    'databaseUrl',
    'secretKey',
  ]);
  const { databaseUrl, secretKey } = environment;
  if (!apply) {
    const pending = await pendingMigrations(databaseUrl, migrations);
    return {
      json: { applied: [], pending },
      text: pending.length > 0 ? listed('pending', pending) : UP_TO_DATE,
      exitCode: isCheck && pending.length > 0 ? 1 : 0,
    };
  }
  const log = await openLog(environment);
  const applied = await migrateInstallation(databaseUrl, secretKey, log);
  await flushed(log);
  return {
    json: { applied, pending: [] },
    text: applied.length > 0 ? listed('applied', applied) : UP_TO_DATE,
  };
}

/** Applies what is pending and binds the database to its key. A wrong key is refused beforehand. */
export async function migrateInstallation(
  url: string,
  secretKey: Buffer,
  log: Logger,
): Promise<readonly string[]> {
  const { applyMigrations } = await import('#platform/migrate.ts');
  const database = openDatabase({ url, connections: 1, name: 'frontdesk migrate', log });
  const secrets = secretsOf(secretKey);
  try {
    await refuseWrongKey(database, secrets);
    const applied = await applyMigrations(url, migrations);
    await adoptSecretKey(database, secrets);
    return applied;
  } finally {
    await database.close();
  }
}

const UP_TO_DATE = 'The schema is up to date.';

const listed = (what: string, names: readonly string[]): string =>
  names.map((name) => `${what} ${name}`).join('\n');
