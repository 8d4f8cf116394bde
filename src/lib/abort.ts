import { setTimeout as timer } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as `signal` is aborted. Never rejects. */
export async function sleep(
  ms: number,
  signal?: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<void> {
  await timer(ms, undefined, { ref, ...(signal && { signal }) }).catch(() => undefined);
}

/** Resolves as soon as `signal` is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });
