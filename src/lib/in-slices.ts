import { setImmediate as nextCycle } from 'node:timers/promises';

/** Far below what another request notices. */
const SLICE_MS = 10;

/** Calls `act` with each piece of a long computation, and lets other work run every few milliseconds. */
export async function inSlices<T>(pieces: Iterable<T>, act: (piece: T) => void): Promise<void> {
  let since = performance.now();
  for (const piece of pieces) {
    act(piece);
    if (performance.now() - since > SLICE_MS) {
      await nextCycle();
      since = performance.now();
    }
  }
}
