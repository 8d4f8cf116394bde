import { setImmediate as nextCycle } from 'node:timers/promises';

/** Far below what another request notices. */
const SLICE_MS = 10;

/**
 * Returns a function to await after each piece of a long computation. Every few milliseconds it lets
 * other work run; between, it returns undefined.
 */
export function slices(): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await nextCycle();
    since = performance.now();
  };
  return () => (performance.now() - since > SLICE_MS ? pause() : undefined);
}

/** Calls `act` with each piece of a long computation, and lets other work run every few milliseconds. */
export async function inSlices<T>(pieces: Iterable<T>, act: (piece: T) => void): Promise<void> {
  const slice = slices();
  for (const piece of pieces) {
    act(piece);
    const pause = slice();
    if (pause) {
      await pause;
    }
  }
}
