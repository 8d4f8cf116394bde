/** A level-triggered wake-up signal. */
export interface WakeSignal {
  /** Wakes every caller that waits. If none does, the next wait returns at once. */
  readonly notify: () => void;
  /** Resolves at the next `notify`, or after `withinMs`. Several calls before a wait wake it once. */
  wait(withinMs?: number): Promise<void>;
}

/**
 * Returns a signal that is never lost: after each `notify` at least one wait returns, a pending one or
 * the next. Any number of callers may wait.
 */
export function newWakeSignal(): WakeSignal {
  let isNotified = false;
  const waiting = new Set<() => void>();
  return {
    notify() {
      isNotified = waiting.size === 0;
      waiting.forEach((wake) => wake());
      waiting.clear();
    },
    async wait(withinMs) {
      if (isNotified) {
        isNotified = false;
        return;
      }
      const { promise: notified, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer =
        withinMs === undefined
          ? undefined
          : setTimeout(() => {
              waiting.delete(resolve);
              resolve();
            }, withinMs);
      await notified;
      clearTimeout(timer);
    },
  };
}
