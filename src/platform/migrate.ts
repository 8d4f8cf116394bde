import { setTimeout as sleep } from 'node:timers/promises';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { runMigrations as migrateQueue } from 'graphile-worker';
import { Fault } from '#kit/fault.ts';
import { databaseRefusal } from './database.ts';
import type { NamedMigration } from './migration.ts';
import { MIGRATIONS_LOCK, MIGRATIONS_TABLE, withClient } from './schema-state.ts';

/** Of others who change the schema, or need it to stay as it is: a backup may take its time. */
const TURN_TIMEOUT_MS = 120_000;
/** While a step waits for a table, everybody else waits behind it. */
const TABLE_TIMEOUT_MS = 3_000;
const TRIES = 20;
const PAUSE_MS = 1_000;
const NOT_AVAILABLE = '55P03';

/**
 * Applies what is pending, all of it in one transaction: whatever happens, the schema is that of the
 * release before or that of this one. Waits for another who does so; servers and workers of the
 * release before hear of it. The queue's schema goes first, for our steps call what is in it.
 */
export async function applyMigrations(
  url: string,
  migrations: readonly NamedMigration[],
): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query(`set lock_timeout = ${TURN_TIMEOUT_MS}`);
    await client
      .query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK])
      .catch(explain('another migration, a backup or a restore is at work on this database'));
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
      const done = await patiently(() => orm.migrator.up());
      return done.map(({ name }) => name);
    } finally {
      await orm.close();
    }
  });
}

/** Nothing is done where a table was not to be had, so that it can be tried again. */
async function patiently<R>(migrate: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate();
    } catch (error) {
      if (attempt === TRIES) {
        return explain('a transaction that goes on for long keeps a table from being changed')(
          error,
        );
      }
      if (databaseRefusal(error)?.code !== NOT_AVAILABLE) {
        throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
}

const explain =
  (why: string) =>
  (error: unknown): never => {
    throw databaseRefusal(error)?.code === NOT_AVAILABLE
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
