import type { Actor, Transact, Work } from '#core/work.ts';

/** Carries the outcome out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('rolled back');
    this.outcome = outcome;
  }
}

/**
 * Runs a change for its outcome or its refusal, with all of its writes, and rolls it back. Nothing is
 * committed, and nothing is announced.
 */
export async function dryRun<R>(
  transact: Transact,
  subAccountId: string,
  actor: Actor,
  change: (work: Work) => Promise<R>,
): Promise<R> {
  const inTransaction = async (work: Work): Promise<R> => {
    // A change that begins no transaction would be written as one statement that commits by itself.
    await work.rows('select 1', []);
    return change(work);
  };
  try {
    return await transact(subAccountId, actor, inTransaction, async (view, outcome) => {
      // Deferred constraints are otherwise first checked by the commit.
      await view.rows('set constraints all immediate', []);
      throw new RolledBack(outcome);
    });
  } catch (error) {
    if (error instanceof RolledBack) {
      return error.outcome as R;
    }
    throw error;
  }
}
