/** A timer with a longer delay fires at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Resolves after this number of milliseconds; rejects with the signal's reason if it aborts first.
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
      Math.min(ms, TIMER_MAX_MS),
    );
    if (signal?.aborted) {
      leave();
    } else {
      signal?.addEventListener('abort', leave, { once: true });
    }
  });
}
