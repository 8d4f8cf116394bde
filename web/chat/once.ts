/** Returns a function that runs `run` once in the next microtask, however often it is called. */
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
