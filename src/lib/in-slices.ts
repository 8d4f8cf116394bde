import { setImmediate as nextCycle } from 'node:timers/promises';
import { openGate } from './gate.ts';
import { openShares } from './shares.ts';

/** What a computation takes at once; most need less. */
const FIRST_MS = 2;
/** Far below what another request notices. */
const SLICE_MS = 10;

/** All long computations of the process take one slice at a time, in the order of their sub-accounts. */
const slices = openGate<string>({ shares: openShares(1) });

/**
 * Calls `act` with each piece of a long computation, and lets other work run every few milliseconds. However
 * many computations run, each cycle of the event loop has one slice.
 */
export async function inSlices<T>(
  subAccountId: string,
  pieces: Iterable<T>,
  act: (piece: T) => void,
): Promise<void> {
  let until = performance.now() + FIRST_MS;
  let leave: (() => void) | undefined;
  try {
    for (const piece of pieces) {
      act(piece);
      if (performance.now() > until) {
        leave?.();
        leave = await slices.enter(subAccountId);
        await nextCycle();
        until = performance.now() + SLICE_MS;
      }
    }
  } finally {
    leave?.();
  }
}
