/** What wakes one who waits. It is not heard twice for one ring, nor twice for several before. */
export interface Bell {
  readonly ring: () => void;
  /** Until it has rung since it was heard last, or the time is over. */
  heard(withinMs?: number): Promise<void>;
}

export function newBell(): Bell {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async heard(withinMs) {
      const timer = withinMs === undefined ? undefined : setTimeout(rung.resolve, withinMs);
      await rung.promise;
      clearTimeout(timer);
      rung = Promise.withResolvers();
    },
  };
}
