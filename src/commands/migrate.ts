import { defineCommand, type Outcome, type Switches } from '#core/command.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { adoptSecretKey, refuseWrongKey } from '#platform/config/installation.ts';
import type { Logger } from '#platform/config/logger.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import {
  refuseLater,
  schemaState,
  type SchemaState,
} from '#platform/database/migrate/schema-state.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import { migrations } from '#registry/migrations.ts';
import { flushed, openLog } from './server/open-log.ts';

export const migrate = defineCommand()({
  path: 'migrate',
  summary: 'Apply pending database migrations',
  options: {
    dryRun: { flag: '--dry-run', help: 'list pending migrations without applying them' },
    check: { flag: '--check', help: 'apply nothing; exit 1 if any migration is pending' },
  },
  examples: ['frontdesk migrate', 'frontdesk migrate --check --json'],
  context: 'none',
  async run(_, { dryRun, check }, switches) {
    return runMigrate({ apply: !dryRun && !check, isCheck: check === true }, switches);
  },
});

interface MigrateInput {
  readonly apply: boolean;
  readonly isCheck: boolean;
}

async function runMigrate({ apply, isCheck }: MigrateInput, switches: Switches): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), [
    'databaseUrl',
    'secretKey',
  ]);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl, secretKey } = environment;
  const log = await openLog(environment);
  try {
    if (!apply) {
      const pending = await pendingIn(url, secretKey, log);
      return {
        json: { applied: [], pending },
        text: pending.length > 0 ? listed('pending', pending) : UP_TO_DATE,
        exitCode: isCheck && pending.length > 0 ? 1 : 0,
      };
    }
    const bar = openProgressBar(switches, 'migrations');
    const applied = await migrateInstallation(url, secretKey, log, bar.update).finally(bar.clear);
    return {
      json: { applied, pending: [] },
      text: applied.length > 0 ? listed('applied', applied) : UP_TO_DATE,
    };
  } finally {
    await flushed(log);
  }
}

/** Returns the pending migrations. Throws the Faults of applying them. */
const pendingIn = (url: string, secretKey: Buffer, log: Logger): Promise<readonly string[]> =>
  onInstallation(url, secretKey, log, async (_, state) => state.pending);

/** Applies pending migrations and binds the database to its key. Throws a Fault for another key. */
export const migrateInstallation = (
  url: string,
  secretKey: Buffer,
  log: Logger,
  onProgress?: (applied: number, share: number) => void,
): Promise<readonly string[]> =>
  onInstallation(url, secretKey, log, async (database) => {
    const applied = await applyMigrations(url, migrations, onProgress);
    await adoptSecretKey(database, secretsOf(secretKey));
    return applied;
  });

/** Throws a Fault for another key, for a pooler, and for a schema of a later release. */
async function onInstallation<R>(
  url: string,
  secretKey: Buffer,
  log: Logger,
  use: (database: Database, state: SchemaState) => Promise<R>,
): Promise<R> {
  const database = openDatabase({ url, connections: 1, name: 'frontdesk migrate', log });
  try {
    await requireSessions(database);
    await refuseWrongKey(database, secretsOf(secretKey));
    const state = await schemaState(database.rows, migrations);
    refuseLater(state);
    return await use(database, state);
  } finally {
    await database.close();
  }
}

const UP_TO_DATE = 'The schema is up to date.';

const listed = (what: string, names: readonly string[]): string =>
  names.map((name) => `${what} ${name}`).join('\n');
