/** What wakes one who waits. It is not heard twice for one ring, nor twice for several before. */
export interface Bell {
  ring(): void;
  /** Until it has rung since it was heard last. */
  heard(): Promise<void>;
}

export function openBell(): Bell {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async heard() {
      await rung.promise;
      rung = Promise.withResolvers();
    },
  };
}
