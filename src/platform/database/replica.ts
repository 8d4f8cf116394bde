import { Pool, type PoolClient } from 'pg';
import type { View } from '#core/work.ts';
import { singleFlight } from './single-flight.ts';
import { isDatabaseAway } from './database-errors.ts';
import { listenForLosses, rowsOn, wirePageOn, wireRowsOn, type Database } from './database.ts';
import type { Logger } from '../config/logger.ts';
import { sleep } from '#lib/abort.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 2_000;
/** How long a read waits for the replica to catch up, and how often it checks. */
const PATIENCE_MS = 100;
const CHECK_EVERY_MS = 2;
/** How long lists are read from the primary after trouble with the replica. */
const REST_MS: Readonly<Record<Trouble, number>> = { late: 1_000, away: 3_000, wrong: 30_000 };

type Reading = Pick<View, 'rows' | 'wireRows' | 'wirePage'>;

export interface Replica {
  /**
   * Reads for one request. The replica must have replayed everything that was committed before the
   * request arrived, by any process; if it has not, or is in trouble, the primary is read instead.
   */
  openReading(instead: Reading): Reading;
  close(): Promise<void>;
}

interface ReplicaOptions {
  readonly url: string;
  readonly primary: Pick<Database, 'rows' | 'wireRows'>;
  readonly log: Logger;
}

export function openReplica({ url, primary, log }: ReplicaOptions): Replica {
  const pool = poolOf(url, log);
  const ask = singleFlight(primary.rows);
  const rest = openRest(log);

  async function readAt(position: Promise<bigint>, { here, there }: Read): Promise<any> {
    const client = await caughtUp(pool, primary, await position).catch(troubleOf);
    if (typeof client === 'object') {
      const found = await readOn(client, there).catch(troubleOf);
      if (typeof found === 'object') {
        rest.end();
        return found.result;
      }
      rest.begin(found);
    } else {
      rest.begin(client);
    }
    return here();
  }

  return {
    openReading(instead) {
      let position: Promise<bigint> | undefined;
      const read = (one: Read): Promise<any> =>
        rest.isOn() ? one.here() : readAt((position ??= positionOf(ask)), one);
      return {
        rows: (text, values) =>
          read({
            here: () => instead.rows(text, values),
            there: (client) => rowsOn(client, text, values),
          }),
        wireRows: (text, values) =>
          read({
            here: () => instead.wireRows(text, values),
            there: (client) => wireRowsOn(client, text, values),
          }),
        wirePage: (text, values, size) =>
          read({
            here: () => instead.wirePage(text, values, size),
            there: (client) => wirePageOn(client, text, values, size),
          }),
      };
    },
    close: () => pool.end(),
  };
}

/** Returns why lists cannot be read from the replica now, or undefined if they can. */
export async function replicaTrouble({
  url,
  primary,
  log,
}: ReplicaOptions): Promise<string | undefined> {
  const position = await positionOf(primary.rows);
  const pool = poolOf(url, log);
  try {
    const client = await caughtUp(pool, primary, position);
    if (typeof client === 'string') {
      return REASONS[client];
    }
    client.release();
    return undefined;
  } catch (error) {
    return `the replica does not respond: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await pool.end();
  }
}

const poolOf = (url: string, log: Logger): Pool => {
  const pool = new Pool({
    connectionString: url,
    application_name: 'frontdesk lists',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  listenForLosses(pool, log);
  return pool;
};

const REASONS: Readonly<Record<Trouble, string>> = {
  wrong: 'DATABASE_REPLICA_URL is not a streaming replica of the database',
  late: `the replica is more than ${PATIENCE_MS} ms behind`,
  away: 'the replica does not respond',
};

/** A statement on the primary, and on a connection to the replica. */
interface Read {
  readonly here: () => Promise<unknown>;
  readonly there: (client: PoolClient) => Promise<unknown>;
}

/** The result is wrapped, to distinguish it from trouble. */
async function readOn(
  client: PoolClient,
  there: Read['there'],
): Promise<{ readonly result: unknown }> {
  try {
    const result = await there(client);
    client.release();
    return { result };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** `late` includes statements that the replica cancels to go on replaying: the primary runs them. */
const troubleOf = (error: unknown): Trouble => (isDatabaseAway(error) ? 'away' : 'late');

/** The pauses in which the replica is not read. Logs when they begin and end. */
function openRest(log: Logger) {
  let until = 0;
  let trouble: Trouble | undefined;
  return {
    isOn: () => performance.now() < until,
    begin(why: Trouble) {
      until = performance.now() + REST_MS[why];
      if (trouble === undefined) {
        log.warn({ replica: why }, 'the replica cannot be used; lists are read from the primary');
      }
      trouble = why;
    },
    end() {
      if (trouble !== undefined) {
        log.info('lists are read from the replica again');
      }
      trouble = undefined;
    },
  };
}

/** Behind, unreachable, or no replica of the primary. */
type Trouble = 'late' | 'away' | 'wrong';

type Primary = Pick<Database, 'rows'>;

/** The last known replay position behind each connection: it never goes back. */
const replayed = new WeakMap<PoolClient, bigint>();

/** Returns the position of the primary: everything committed before the call lies behind it. */
async function positionOf(ask: Database['rows']): Promise<bigint> {
  const [row] = await ask<{ position: string }>(
    'select pg_current_wal_insert_lsn()::text as position',
  );
  return numberOf(row?.position ?? '');
}

/**
 * Returns a connection to a replica that has replayed up to `position`, or the trouble that it has. The
 * position is read on the connection that then reads the list: an address may lead to several replicas.
 */
async function caughtUp(
  pool: Pool,
  primary: Primary,
  position: bigint,
): Promise<PoolClient | Trouble> {
  const client = await pool.connect();
  const until = performance.now() + PATIENCE_MS;
  try {
    if (!replayed.has(client) && !(await isOf(client, primary))) {
      client.release(true);
      return 'wrong';
    }
    while ((replayed.get(client) ?? -1n) < position) {
      const [row] = await rowsOn<{ position: string | null }>(client, REPLAYED);
      if (typeof row?.position !== 'string') {
        client.release(true);
        return 'wrong';
      }
      const reached = numberOf(row.position);
      replayed.set(client, reached);
      if (reached < position && performance.now() > until) {
        client.release();
        return 'late';
      }
      if (reached < position) {
        await sleep(CHECK_EVERY_MS);
      }
    }
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Null on a server that does not, or no longer, replay the changes of another one. */
const REPLAYED = `
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position`;

/** Returns whether a connection leads to a copy of the primary's database. */
async function isOf(client: PoolClient, { rows }: Primary): Promise<boolean> {
  const [[there], [here]] = await Promise.all([rowsOn(client, IDENTITY), rows(IDENTITY)]);
  return JSON.stringify(there) === JSON.stringify(here);
}

const IDENTITY = `
  select current_database() as name, system_identifier::text as system from pg_control_system()`;

/** Parses an LSN such as `16/B374D848`. */
function numberOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
