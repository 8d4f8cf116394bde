import type { Transact } from '#core/work.ts';
import { singleFlight } from '../single-flight.ts';
import { backOff, CONFLICT_TRIES, databaseRefusal, isConflict } from '../database-errors.ts';
import { openWork, type WorkDeps } from './open-work.ts';
import { openWriteOut } from './group-commit.ts';

/** Tries of a change that breaks a constraint named with `retryOn`. */
const TRIES = 4;

export function transactor(options: Omit<WorkDeps, 'writeOut' | 'claimed' | 'ask'>): Transact {
  const deps: WorkDeps = {
    ...options,
    writeOut: openWriteOut(options.database),
    claimed: new Map(),
    ask: singleFlight(options.database.rows),
  };
  return async (subAccountId, actor, change, conclude) => {
    for (let attempt = 1; ; attempt += 1) {
      const open = openWork(deps, subAccountId, actor);
      let lost = false;
      try {
        const outcome = await change(open.work);
        return (await open.commit(async (view) =>
          conclude ? conclude(view, outcome) : outcome,
        )) as never;
      } catch (error) {
        if (open.isCommitted()) {
          throw error;
        }
        await open.rollBack();
        const refusal = databaseRefusal(error);
        const isLost = isConflict(error);
        const tries = isLost ? CONFLICT_TRIES : open.isAgain(refusal?.constraint) ? TRIES : 1;
        if (attempt >= tries) {
          throw (await open.mapped(refusal?.constraint)) ?? error;
        }
        lost = isLost;
      } finally {
        open.end();
      }
      // After the claims are released: others may wait for them.
      if (lost) {
        await backOff(attempt);
      }
    }
  };
}
