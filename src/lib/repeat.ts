interface Repeating {
  /** Ends the repetition, and resolves when a run that is under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `act`, which must not reject, every `ms` milliseconds. A time at which the previous run has not
 * ended is left out: slow runs do not pile up.
 */
export function repeat(ms: number, act: () => Promise<void>): Repeating {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= act().finally(() => (running = undefined));
  }, ms);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
