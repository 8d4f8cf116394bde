import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { runMigrations as migrateQueue } from 'graphile-worker';
import type { NamedMigration } from './migration.ts';
import { MIGRATIONS_LOCK, MIGRATIONS_TABLE, withClient } from './schema-state.ts';

/**
 * Applies what is pending, each step in a transaction of its own; waits for another who does so.
 * The queue's schema goes first, so that no step of ours is done before what it may call is there.
 */
export async function applyMigrations(
  url: string,
  migrations: readonly NamedMigration[],
): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK]);
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
        allOrNothing: false,
        snapshot: false,
        silent: true,
      },
    });
    try {
      const done = await orm.migrator.up();
      return done.map(({ name }) => name);
    } finally {
      await orm.close();
    }
  });
}

const classOf = (statements: readonly string[]) =>
  class extends Migration {
    override up(): void {
      for (const statement of statements) {
        this.addSql(statement);
      }
    }
  };
