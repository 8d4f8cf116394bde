import type { Client } from 'pg';
import { sleep } from '#lib/abort.ts';
import { JOB_TABLES } from '#platform/queue/private-tables.ts';
import { isRace } from './explain.ts';

/** How long to wait for tables that other transactions use, at each try. */
const TRY_TIMEOUT_MS = 3_000;
const TRIES = 10;
const PAUSE_MS = 200;

/**
 * Locks the job tables, and these tables, against all others. A running server reads the jobs before the
 * outbox, and locks its rows before it queues jobs: each of the two can wait for this transaction while
 * this one waits for it. Then the locks are given up and acquired again, so that the other one ends.
 */
export async function lockTables(client: Client, names: readonly string[]): Promise<void> {
  await client.query(`set local lock_timeout = ${TRY_TIMEOUT_MS}`);
  for (let attempt = 1; ; attempt += 1) {
    await client.query('savepoint locks');
    try {
      for (const tables of [JOB_TABLES, names.join(', ')]) {
        await client.query(`lock table ${tables} in access exclusive mode`);
      }
      await client.query('release savepoint locks');
      return;
    } catch (error) {
      if (!isRace(error) || attempt === TRIES) {
        throw error;
      }
      await client.query('rollback to savepoint locks');
      await sleep(PAUSE_MS);
    }
  }
}
