import { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import type { NamedMigration } from './migration.ts';
import { requireSession } from '../require-sessions.ts';

export const MIGRATIONS_TABLE = 'migrations';

/** The advisory lock of migrations, and of backups, which need an unchanged schema: any number. */
export const MIGRATIONS_LOCK = 5_771_001;

type Rows = <T extends object>(text: string) => Promise<T[]>;

/** The difference between a database and a list of migrations. */
export interface SchemaState {
  readonly pending: readonly string[];
  /** Applied by a later release. */
  readonly unknown: readonly string[];
}

export async function schemaState(
  rows: Rows,
  migrations: readonly Pick<NamedMigration, 'name'>[],
): Promise<SchemaState> {
  const names = migrations.map(({ name }) => name);
  const applied = await appliedMigrations(rows);
  return {
    pending: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

/** Throws a Fault if a later release has migrated the database. */
export function refuseLater({ unknown }: SchemaState): void {
  if (unknown.length > 0) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `the database is ahead of this release by ${unknown.join(', ')}: run a newer frontdesk`,
    );
  }
}

/** Returns the names of the applied migrations in order; none in an empty database. */
export async function appliedMigrations(rows: Rows): Promise<string[]> {
  const [table] = await rows<{ there: boolean }>(
    `select to_regclass('public.${MIGRATIONS_TABLE}') is not null as there`,
  );
  if (!table?.there) {
    return [];
  }
  const applied = await rows<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by id`);
  return applied.map(({ name }) => name);
}

/** SQL: lifts the time limits of the server and the role, of a transaction or of the session. */
export const withoutTimeLimits = ({ isLocal }: { readonly isLocal: boolean }): string => `
  select set_config(name, '0', ${isLocal}) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/**
 * Runs `use` with a connection of its own, and closes it. It has no time limits: migrations, backups and
 * restores take long, and wait for each other.
 */
export async function withClient<R>(url: string, use: (client: Client) => Promise<R>): Promise<R> {
  const config = { connectionString: url, connectionTimeoutMillis: 5_000 };
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireSession(client, config, 'DATABASE_URL');
    await client.query(withoutTimeLimits({ isLocal: false }));
    return await use(client);
  } finally {
    await client.end();
  }
}
