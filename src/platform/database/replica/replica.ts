import { Pool, type PoolClient } from 'pg';
import type { View } from '#core/work.ts';
import { singleFlight } from '../single-flight.ts';
import { caughtUp, PATIENCE_MS, positionOf, type Trouble } from './wait-for-replica.ts';
import { isDatabaseAway } from '../database-errors.ts';
import { listenForLosses, rowsOn, textsOn, type Database } from '../database.ts';
import type { Logger } from '../../config/logger.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 2_000;
/** Meanwhile nobody asks a replica that was late, away or wrong. */
const REST_MS: Readonly<Record<Trouble, number>> = { late: 1_000, away: 3_000, wrong: 30_000 };

type Reading = Pick<View, 'rows' | 'texts'>;

export interface Replica {
  /**
   * Reads for one request that has come in: the replica has replayed whatever was committed before it
   * came, by whichever process; otherwise, or where the replica is in trouble, the primary answers.
   */
  openReading(): Reading;
  close(): Promise<void>;
}

interface ReplicaOptions {
  readonly url: string;
  readonly primary: Pick<Database, 'rows' | 'texts'>;
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
        return found.rows;
      }
      rest.begin(found);
    } else {
      rest.begin(client);
    }
    return here();
  }

  return {
    openReading() {
      let position: Promise<bigint> | undefined;
      const read = (one: Read): Promise<any> =>
        rest.isOn() ? one.here() : readAt((position ??= positionOf(ask)), one);
      return {
        rows: (text, values) =>
          read({
            here: () => primary.rows(text, values),
            there: (client) => rowsOn(client, text, values),
          }),
        texts: (text, values) =>
          read({
            here: () => primary.texts(text, values),
            there: (client) => textsOn(client, text, values),
          }),
      };
    },
    close: () => pool.end(),
  };
}

/** Why lists could not be read from a replica now; undefined where they could. */
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
    return `the replica does not answer: ${error instanceof Error ? error.message : String(error)}`;
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
  wrong: 'DATABASE_REPLICA_URL leads to no streaming replica of the database',
  late: `the replica is more than ${PATIENCE_MS} ms behind`,
  away: 'the replica does not answer',
};

/** A statement on the primary, and on a connection to the replica. */
interface Read {
  readonly here: () => Promise<unknown[]>;
  readonly there: (client: PoolClient) => Promise<unknown[]>;
}

/** Wrapped, so that rows and trouble are told apart. */
async function readOn(
  client: PoolClient,
  there: Read['there'],
): Promise<{ readonly rows: unknown[] }> {
  try {
    const rows = await there(client);
    client.release();
    return { rows };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Also a statement that the replica cancels for the sake of replaying: the primary does not. */
const troubleOf = (error: unknown): Trouble => (isDatabaseAway(error) ? 'away' : 'late');

/** The times at which nobody asks the replica; says so when they begin and when they are over. */
function openRest(log: Logger) {
  let until = 0;
  let trouble: Trouble | undefined;
  return {
    isOn: () => performance.now() < until,
    begin(why: Trouble) {
      until = performance.now() + REST_MS[why];
      if (trouble === undefined) {
        log.warn(
          { replica: why },
          'lists are read from the primary: its replica is not to be relied on',
        );
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
