import { WORKER_LOCKS } from '#platform/abandoned-jobs.ts';
import { readHolding } from '#platform/holding.ts';
import { ok, warn, type Check } from './check.ts';

/** A worker that is at work shows it by a lock for each of its lanes. */
export const workers: Check = {
  name: 'workers',
  async examine({ rows }) {
    const { heldSince, reason } = await readHolding({ rows });
    if (heldSince) {
      return warn(
        `workers are held since ${heldSince.toISOString()}: ${reason}`,
        'look around, then run frontdesk admin release',
      );
    }
    const locks = await rows(
      `select from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
         and granted and database = (select oid from pg_database where datname = current_database())`,
      [WORKER_LOCKS],
    );
    return locks.length > 0
      ? ok('at work')
      : warn('no worker is at work: nothing is sent', 'start frontdesk worker');
  },
};
