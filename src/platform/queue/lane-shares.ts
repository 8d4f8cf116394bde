import { setImmediate as nextCycle } from 'node:timers/promises';
import { openShares } from '#lib/shares.ts';

/** The places that the jobs of each sub-account take in a lane. */
export interface LaneShares {
  /** Counts a job that begins, by its payload. Returns what to call at its end. */
  enter(payload: unknown): () => void;
  /** Calls `fetch` with the sub-accounts whose jobs have to wait. */
  fetch<T>(fetch: (skipped: readonly string[]) => Promise<T>): Promise<T>;
}

interface SharedLane {
  readonly concurrency: number;
  readonly isShared?: boolean;
}

/**
 * Shares the places of a lane between sub-accounts, so that jobs that all hang, because a peer never
 * responds, leave places to others. `onFree` is called when a job ends while others have to wait.
 */
export function trackShares(
  { concurrency, isShared = false }: SharedLane,
  onFree: () => unknown,
): LaneShares {
  return isShared ? shareLane(concurrency, onFree) : UNSHARED;
}

const UNSHARED: LaneShares = {
  enter: () => () => undefined,
  fetch: (fetch) => fetch([]),
};

function shareLane(concurrency: number, onFree: () => unknown): LaneShares {
  const shares = openShares<string | undefined>(concurrency);
  let skipped: readonly string[] = [];
  let previous: Promise<unknown> = Promise.resolve();
  return {
    enter(payload) {
      const leave = shares.enter(subAccountOf(payload));
      return () => {
        leave();
        if (skipped.length > 0) {
          onFree();
        }
      };
    },
    fetch(fetch) {
      // One at a time, and after the jobs of the previous one have begun: otherwise they would not count.
      const fetched = previous
        .then(() => nextCycle())
        .then(() => {
          // Jobs of no sub-account never wait.
          skipped = shares.full().filter((id) => id !== undefined);
          return fetch(skipped);
        });
      previous = fetched.catch(() => undefined);
      return fetched;
    },
  };
}

/** Returns the sub-account of a job, by its payload. */
export function subAccountOf(payload: unknown): string | undefined {
  const { subAccountId } = (payload ?? {}) as { readonly subAccountId?: unknown };
  return typeof subAccountId === 'string' ? subAccountId : undefined;
}
