import type { Transact } from '#kit/work.ts';
import { askTogether } from './ask-together.ts';
import { databaseRefusal } from './database.ts';
import { openWork, type WorkDeps } from './open-work.ts';
import { openWriteOut } from './write-batches.ts';

const TRIES = 4;

/** SQLSTATEs of a transaction that lost against another one and may be run again. */
const LOST = new Set(['40001', '40P01']);

export function transactor(given: Omit<WorkDeps, 'writeOut' | 'claimed' | 'ask'>): Transact {
  const deps: WorkDeps = {
    ...given,
    writeOut: openWriteOut(given.database),
    claimed: new Map(),
    ask: askTogether(given.database.rows),
  };
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
        const isLost = LOST.has(refusal?.code ?? '') || open.isAgain(refusal?.constraint);
        if (!isLost || attempt === TRIES) {
          throw (await open.explained(refusal?.constraint)) ?? error;
        }
      } finally {
        open.end();
      }
    }
  };
}
