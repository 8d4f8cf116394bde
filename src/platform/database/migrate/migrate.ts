import { sleep } from '#lib/abort.ts';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { runMigrations as migrateQueue } from 'graphile-worker';
import { Fault } from '#core/fault.ts';
import { forCluster } from '../cluster/cluster-migrations.ts';
import { distributeTables } from '../cluster/distribute-tables.ts';
import { hasDistributedTables, isCluster, rowsOf } from '../cluster/nodes.ts';
import { databaseRefusal, isConflict } from '../database-errors.ts';
import type { NamedMigration } from './migration.ts';
import {
  MIGRATIONS_LOCK,
  MIGRATIONS_TABLE,
  withClient,
  withoutTimeLimits,
} from './schema-state.ts';

/** The longest wait for another migration, or for a backup, which needs an unchanged schema. */
const LEADER_TIMEOUT_MS = 120_000;
/** Short: while a step waits for a table lock, all other statements on the table wait behind it. */
const TABLE_TIMEOUT_MS = 3_000;
const TRIES = 20;
const PAUSE_MS = 1_000;
const NOT_AVAILABLE = '55P03';

/**
 * Applies all pending migrations, and distributes the tables of a cluster. Returns the names of those
 * applied.
 */
export const applyMigrations = (
  url: string,
  migrations: readonly NamedMigration[],
  onProgress?: OnMigrated,
): Promise<string[]> =>
  withMigrationLock(url, async (client) => {
    const applied = await applyPending(url, client, migrations, onProgress);
    await distributeTables(client);
    await client.query(`select pg_notify('frontdesk_changes', '${MIGRATIONS_TABLE}')`);
    return applied;
  });

/** Applies the first migrations to a database that is to be loaded with data of an earlier release. */
export const applyEarlierMigrations = (
  url: string,
  migrations: readonly NamedMigration[],
): Promise<string[]> => withMigrationLock(url, (client) => applyPending(url, client, migrations));

/** Waits for a concurrent migration. */
const withMigrationLock = <R>(url: string, use: (client: Client) => Promise<R>): Promise<R> =>
  withClient(url, async (client) => {
    await client.query(`set lock_timeout = ${LEADER_TIMEOUT_MS}`);
    await client
      .query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK])
      .catch(explain('another migration, a backup or a restore is running on this database'));
    return use(client);
  });

/**
 * Applies pending migrations in one transaction: after a failure the schema is still that of the release
 * before. The schema of the queue goes first: our migrations call its functions.
 */
async function applyPending(
  url: string,
  client: Client,
  migrations: readonly NamedMigration[],
  onProgress?: OnMigrated,
): Promise<string[]> {
  await migrateQueue({ connectionString: url });
  const rows = rowsOf(client);
  const isDistributed = (await isCluster(rows)) && (await hasDistributedTables(rows));
  const steps = isDistributed ? forCluster(migrations) : migrations;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      tableName: MIGRATIONS_TABLE,
      migrationsList: steps.map(({ name, statements }) => ({ name, class: classOf(statements) })),
      allOrNothing: true,
      snapshot: false,
      silent: true,
    },
  });
  try {
    const applied = countMigrations(orm.migrator, onProgress);
    const done = await retryWhileLocked(async () => {
      await applied.restart();
      return orm.migrator.up();
    });
    return done.map(({ name }) => name);
  } finally {
    await orm.close();
  }
}

/** Called with the number of applied migrations and their share of the pending ones. */
type OnMigrated = (applied: number, share: number) => void;

/** Reports each applied migration. A repetition starts at zero again: the first try was rolled back. */
function countMigrations(migrator: MikroORM['migrator'], onProgress: OnMigrated | undefined) {
  let applied = 0;
  let pending = 0;
  migrator.on('migrated', () => {
    applied += 1;
    onProgress?.(applied, applied / pending);
  });
  return {
    async restart() {
      applied = 0;
      pending = onProgress ? (await migrator.getPending()).length : 0;
    },
  };
}

/** Repeats a migration that could not lock a table, or lost a deadlock against a running server. */
async function retryWhileLocked<R>(migrate: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLockedOut(error)) {
        throw error;
      }
      if (attempt === TRIES) {
        return explain('other transactions keep a table locked')(error);
      }
      await sleep(PAUSE_MS);
    }
  }
}

const isLockedOut = (error: unknown): boolean =>
  databaseRefusal(error)?.code === NOT_AVAILABLE || isConflict(error);

const explain =
  (why: string) =>
  (error: unknown): never => {
    throw isLockedOut(error)
      ? new Fault('SERVICE_UNAVAILABLE', `${why}; nothing was changed, try again later`)
      : error;
  };

const classOf = (statements: readonly string[]) =>
  class extends Migration {
    override up(): void {
      this.addSql(withoutTimeLimits({ isLocal: true }));
      this.addSql(`set local lock_timeout = ${TABLE_TIMEOUT_MS}`);
      for (const statement of statements) {
        this.addSql(statement);
      }
    }
  };
