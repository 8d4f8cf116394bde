/** Waits; ends early when the browser is online again, the page becomes visible, or `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, over);
    window.addEventListener('online', end, over);
    document.addEventListener('visibilitychange', end, over);
  });
}
