import type { Transact } from '#kit/work.ts';
import { databaseRefusal } from './database.ts';
import { openWork, type WorkDeps } from './open-work.ts';

const TRIES = 4;

/** SQLSTATEs of a transaction that lost against another one and may be run again. */
const LOST = new Set(['40001', '40P01']);

export function transactor(deps: WorkDeps): Transact {
  return async (subAccountId, actor, change, conclude) => {
    for (let attempt = 1; ; attempt += 1) {
      const open = openWork(deps, subAccountId, actor);
      try {
        const outcome = await change(open.work);
        return (await open.commit(async (view) =>
          conclude ? conclude(view, outcome) : outcome,
        )) as never;
      } catch (error) {
        await open.rollBack();
        const refusal = databaseRefusal(error);
        if (!LOST.has(refusal?.code ?? '') || attempt === TRIES) {
          throw (await open.explained(refusal?.constraint)) ?? error;
        }
      }
    }
  };
}
