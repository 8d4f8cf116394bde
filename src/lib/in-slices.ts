import { setImmediate as nextCycle } from 'node:timers/promises';
import { openGate } from './gate.ts';
import { openShares } from './shares.ts';

/** What a computation takes at once; most need less. */
const FIRST_MS = 2;
/** Far below what another request notices. */
const SLICE_MS = 10;

/** The cycles of the event loop: each has one slice, however many computations run. */
const cycles = openGate<string>({ shares: openShares(1) });

/** Waits for a cycle of the event loop whose slice is the caller's, in the order of sub-accounts. */
export const nextSlice = (subAccountId: string): Promise<void> =>
  cycles.run(subAccountId, () => nextCycle());

/**
 * Returns a function to await after each piece of a long computation. Every few milliseconds it lets other
 * work run, and takes the next cycle in the order of sub-accounts; between, it returns undefined.
 */
export function slices(subAccountId: string): () => Promise<void> | undefined {
  let until = performance.now() + FIRST_MS;
  const pause = async () => {
    await nextSlice(subAccountId);
    until = performance.now() + SLICE_MS;
  };
  return () => (performance.now() > until ? pause() : undefined);
}

/** Calls `act` with each piece of a long computation, and lets other work run every few milliseconds. */
export async function inSlices<T>(
  subAccountId: string,
  pieces: Iterable<T>,
  act: (piece: T) => void,
): Promise<void> {
  const slice = slices(subAccountId);
  for (const piece of pieces) {
    act(piece);
    const pause = slice();
    if (pause) {
      await pause;
    }
  }
}
