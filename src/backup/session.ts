import { Fault } from '#core/fault.ts';
import { sleep } from '#lib/abort.ts';
import { PAUSE, RESUME } from '#platform/queue/pause.ts';
import { WORKER_LOCKS } from '#platform/queue/recover-jobs.ts';
import type { Ask } from './catalogue.ts';

/** Whatever the server or the role says about time: copying a whole table takes as long as it takes. */
export const PATIENT = `
  select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** How values are written, whatever the server prefers: the same in every version. */
export const PLAIN_VALUES = `
  select set_config(name, wanted, true)
  from (values ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'),
    ('extra_float_digits', '1'), ('bytea_output', 'hex')) as setting (name, wanted)`;

/** Jobs that run get 30 s to finish. */
const PATIENCE_MS = 45_000;
const LOOK_EVERY_MS = 200;

/**
 * Holds all workers and waits until the last of them stands still: a worker that is at work shows it
 * by its lock. Answers how to let them go on as before; throws a Fault where one does not stop.
 */
export async function pauseWorkers(ask: Ask, reason: string): Promise<() => Promise<unknown>> {
  const [held] = await ask<{ isHeld: boolean }>(
    'select held_since is not null as "isHeld" from holding',
  );
  const letGo = async () => (held?.isHeld ? undefined : ask(RESUME));
  await ask(PAUSE, [reason]);
  const until = performance.now() + PATIENCE_MS;
  while (await isAnyAtWork(ask)) {
    if (performance.now() > until) {
      await letGo();
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        'a frontdesk worker is at work on this database and does not stop: end it first',
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
  return letGo;
}

const isAnyAtWork = async (ask: Ask): Promise<boolean> => {
  const workers = await ask(
    `select from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
    [WORKER_LOCKS],
  );
  return workers.length > 0;
};
