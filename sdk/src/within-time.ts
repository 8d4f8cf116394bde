import { TIMER_MAX_MS } from './pause.ts';

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
