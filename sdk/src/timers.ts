/** A timer with a longer delay fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

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

/**
 * Runs with a signal that aborts on a timeout or when the caller aborts. Neither the timer nor the
 * listener outlives it.
 */
export async function withinTime<T>(
  ms: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const inner = new AbortController();
  const leave = () => inner.abort(outer?.reason);
  const end = () => inner.abort(new DOMException('too late', 'TimeoutError'));
  const timer = setTimeout(end, Math.min(ms, TIMER_MAX_MS));
  outer?.addEventListener('abort', leave, { once: true });
  try {
    return await run(inner.signal);
  } catch (error) {
    // Not every runtime rejects with the reason.
    throw inner.signal.aborted ? inner.signal.reason : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', leave);
  }
}
