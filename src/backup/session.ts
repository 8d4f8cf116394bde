import type { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import { sleep } from '#lib/abort.ts';
import { PAUSE, RESUME } from '#platform/queue/pause.ts';
import { WORKER_LOCKS } from '#platform/queue/recover-jobs.ts';

/** Runs a statement and returns its rows. */
export type Ask = <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>;

export const askerOf =
  (client: Client): Ask =>
  async (text, values = []) =>
    (await client.query(text, [...values])).rows;

/** Values are written the same way whatever the server's version and settings. */
const PORTABLE_VALUES = `
  select set_config(name, value, true)
  from (values ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'),
    ('extra_float_digits', '1'), ('bytea_output', 'hex')) as setting (name, value)`;

/** Prepares a transaction for copying rows. */
export async function prepareToCopy(client: Client): Promise<void> {
  await client.query(PORTABLE_VALUES);
}

/** Of the session that has paused the workers: another one would take that pause for an operator's. */
const PAUSING_LOCK = 5_771_005;

/** Longer than the 30 s that running jobs get to finish. */
const PAUSE_TIMEOUT_MS = 45_000;
const POLL_MS = 200;

/**
 * Pauses all workers and waits until the last one has stopped: a running worker holds a lock. Returns a
 * function that resumes them, unless they were paused before. One session at a time: the next one waits
 * until this one ends. Throws a Fault after 45 s.
 */
export async function pauseWorkers(ask: Ask, reason: string): Promise<() => Promise<unknown>> {
  await ask('select pg_advisory_lock($1)', [PAUSING_LOCK]);
  const [before] = await ask<{ isPaused: boolean }>(
    'select held_since is not null as "isPaused" from holding',
  );
  const resume = async () => (before?.isPaused ? undefined : ask(RESUME));
  await ask(PAUSE, [reason]);
  const until = performance.now() + PAUSE_TIMEOUT_MS;
  while (await isAnyWorking(ask)) {
    if (performance.now() > until) {
      await resume();
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        `a frontdesk worker on this database did not pause within ${PAUSE_TIMEOUT_MS / 1_000} s; stop it and run this command again`,
      );
    }
    await sleep(POLL_MS);
  }
  return resume;
}

const isAnyWorking = async (ask: Ask): Promise<boolean> => {
  const workers = await ask(
    `select from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
    [WORKER_LOCKS],
  );
  return workers.length > 0;
};
