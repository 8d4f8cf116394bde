import { openGate } from '#lib/gate.ts';
import { openPlaces } from '#lib/shares.ts';

/** Sub-accounts for which a process sends campaign mails at the same time; others wait. */
export const MAILINGS_AT_ONCE = 4;

const gate = openGate<string>({ shares: openPlaces(MAILINGS_AT_ONCE) });
let waiting = 0;

/** Returns whether a job waits for its time slice: further ones are then left to other workers. */
export const isSliceAwaited = (): boolean => waiting > 0;

/**
 * Resolves once the sub-account's time slice begins, with what ends it. A second call of that does
 * nothing. Rejects if `signal` is aborted while the sub-account waits for others.
 */
export async function enterSlice(subAccountId: string, signal: AbortSignal): Promise<() => void> {
  waiting += 1;
  try {
    const leave = await gate.enter(subAccountId, () => signal);
    let isOver = false;
    return () => {
      if (!isOver) {
        isOver = true;
        leave();
      }
    };
  } finally {
    waiting -= 1;
  }
}
