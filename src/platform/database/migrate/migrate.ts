import { sleep } from '#lib/abort.ts';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { runMigrations as migrateQueue } from 'graphile-worker';
import { Fault } from '#core/fault.ts';
import { distributeTables } from '../cluster/distribute-tables.ts';
import { databaseRefusal, isConflict } from '../database-errors.ts';
import type { NamedMigration } from './migration.ts';
import { MIGRATIONS_LOCK, MIGRATIONS_TABLE, withClient } from './schema-state.ts';

/** The longest wait for another migration, or for a backup, which needs an unchanged schema. */
const LEADER_TIMEOUT_MS = 120_000;
/** Short: while a step waits for a table lock, all other statements on the table wait behind it. */
const TABLE_TIMEOUT_MS = 3_000;
const TRIES = 20;
const PAUSE_MS = 1_000;
const NOT_AVAILABLE = '55P03';

/**
 * Applies all pending migrations in one transaction: after a failure the schema is still that of the
 * release before. Waits for a concurrent migration, and notifies running servers and workers. The schema
 * of the queue goes first: our migrations call its functions. Returns the names of those applied.
 */
export async function applyMigrations(
  url: string,
  migrations: readonly NamedMigration[],
  onProgress?: OnMigrated,
): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query(`set lock_timeout = ${LEADER_TIMEOUT_MS}`);
    await client
      .query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK])
      .catch(explain('another migration, a backup or a restore is running on this database'));
    await migrateQueue({ connectionString: url });
    const orm = await MikroORM.init({
      clientUrl: url,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: {
        tableName: MIGRATIONS_TABLE,
        migrationsList: migrations.map(({ name, statements }) => ({
          name,
          class: classOf(statements),
        })),
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
      await distributeTables(client);
      return done.map(({ name }) => name);
    } finally {
      await orm.close();
    }
  });
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
      this.addSql(`set local lock_timeout = ${TABLE_TIMEOUT_MS}`);
      for (const statement of statements) {
        this.addSql(statement);
      }
      this.addSql(`select pg_notify('frontdesk_changes', '${MIGRATIONS_TABLE}')`);
    }
  };
