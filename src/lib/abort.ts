/** Resolves after `ms`, or as soon as `signal` is aborted. Never rejects. */
export const sleep = (
  ms: number,
  signal?: AbortSignal,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (!ref) {
      timer.unref();
    }
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) {
      end();
    }
  });

/** Resolves as soon as `signal` is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });
