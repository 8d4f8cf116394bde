import { Pool } from 'pg';
import { rowsOn, textsOn, type Database } from './database.ts';

/**
 * The same database with tables of this session's own in front of some of its tables: `statements`
 * create them, as temporary ones. Nothing else can be written, since PostgreSQL holds every
 * transaction read-only; what was written is gone with the session.
 */
export function openDryRunDatabase(
  { sessions }: Pick<Database, 'sessions'>,
  statements: readonly string[],
): Database {
  const pool = new Pool({
    ...sessions,
    // One session, that stays: another one would know nothing of the tables.
    max: 1,
    idleTimeoutMillis: 0,
    // oxlint-disable-next-line typescript/no-misused-promises -- pg-pool awaits it; its types omit that.
    onConnect: async (client) => {
      for (const statement of [...statements, READ_ONLY]) {
        await client.query(statement);
      }
    },
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    pool,
    sessions,
    together: (run) => run(pool),
    rows: (text, values) => rowsOn(pool, text, values),
    texts: (text, values) => textsOn(pool, text, values),
    close: () => pool.end(),
  };
}

const READ_ONLY = 'set session characteristics as transaction read only';
