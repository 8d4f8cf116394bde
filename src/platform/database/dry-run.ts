import type { Actor, Transact, View, Work } from '#core/work.ts';
import { Pool } from 'pg';
import { checkConstraints } from './check-constraints.ts';
import { openConnectionGate, openReadGate } from './connection-gate.ts';
import { openShares } from '#lib/shares.ts';
import { rowsOn, wirePageOn, wireRowsOn, type Database } from './database.ts';

/** Carries the result out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('rolled back');
    this.outcome = outcome;
  }
}

/**
 * Each dry run has a connection from its beginning, and may wait for a lock. A sub-account gets three of
 * these places at most, and connections stay for others.
 */
const DRY_RUNS_AT_ONCE = 6;
const gate = openConnectionGate('dry runs', openShares(DRY_RUNS_AT_ONCE));

/**
 * Runs a change with all of its writes and rolls it back. Returns its result or throws its error;
 * nothing is committed and no event is published.
 */
export async function dryRun<R, C = R>(
  transact: Transact,
  subAccountId: string,
  actor: Actor,
  change: (work: Work) => Promise<R>,
  conclude?: (view: View, outcome: R) => Promise<C>,
): Promise<C> {
  const inTransaction = async (work: Work): Promise<R> => {
    // Without a transaction, the writes would be one statement that commits by itself.
    await work.rows('select 1', []);
    return change(work);
  };
  const leave = await gate.enter(subAccountId);
  try {
    return await transact<R, C>(subAccountId, actor, inTransaction, async (view, outcome) => {
      // Deferred constraints are otherwise first checked by the commit.
      await checkConstraints((text, values = []) => view.rows(text, values), subAccountId);
      throw new RolledBack(conclude ? await conclude(view, outcome) : outcome);
    });
  } catch (error) {
    if (error instanceof RolledBack) {
      return error.outcome as C;
    }
    throw error;
  } finally {
    leave();
  }
}

/**
 * Opens the database with temporary tables, created by `statements`, in front of some of its tables.
 * Nothing else can be written: transactions are read-only, except for temporary tables. What was written
 * is gone with the session.
 */
export function openDryRunDatabase(
  { sessions }: Pick<Database, 'sessions'>,
  statements: readonly string[],
): Database {
  const pool = new Pool({
    ...sessions,
    // A single session that stays open: another one would not see the temporary tables.
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
    reads: openReadGate(1),
    // One call is tried at a time.
    transactions: { enter: async () => noPlace, enterNow: () => noPlace },
    sessions,
    together: (run) => run(pool),
    rows: (text, values) => rowsOn(pool, text, values),
    wireRows: (text, values) => wireRowsOn(pool, text, values),
    // On the client: the session must survive a page that ends early.
    async wirePage(text, values, size) {
      const client = await pool.connect();
      try {
        return await wirePageOn(client, text, values, size);
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

const noPlace = (): void => undefined;

const READ_ONLY = 'set session characteristics as transaction read only';
