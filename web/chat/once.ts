/** Runs after what is going on now, once however often it was called meanwhile. */
export function once(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (!isDue) {
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        run();
      });
    }
  };
}
