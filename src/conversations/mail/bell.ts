export interface Bell {
  readonly ring: () => void;
  /** Until the next ring, or the time is over. */
  heard(withinMs: number): Promise<void>;
}

/** A ring while nobody waits is kept for the next who does. */
export function newBell(): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async heard(withinMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          wake = () => (clearTimeout(timer), resolve());
        });
      }
      rung = false;
    },
  };
}
