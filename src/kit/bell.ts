/** A level-triggered wake-up signal. */
export interface Bell {
  /** Wakes every caller that waits. If none does, the next wait returns at once. */
  readonly ring: () => void;
  /** Resolves at the next ring, or once the time is over. Several rings before a wait wake it once. */
  heard(withinMs?: number): Promise<void>;
}

/**
 * Returns a signal that is never lost: after each ring at least one wait returns, one that was under
 * way or the next. Any number of callers may wait.
 */
export function newBell(): Bell {
  let isRung = false;
  const waiting = new Set<() => void>();
  return {
    ring() {
      isRung = waiting.size === 0;
      waiting.forEach((wake) => wake());
      waiting.clear();
    },
    async heard(withinMs) {
      if (isRung) {
        isRung = false;
        return;
      }
      const { promise: rung, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer =
        withinMs === undefined
          ? undefined
          : setTimeout(() => {
              waiting.delete(resolve);
              resolve();
            }, withinMs);
      await rung;
      clearTimeout(timer);
    },
  };
}
