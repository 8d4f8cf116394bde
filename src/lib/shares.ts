/** The places that each holder takes of a limited number. */
export interface Shares<K> {
  /** Takes a place. Returns what to call to give it back. */
  enter(holder: K): () => void;
  /** Whether the holder has its share, and must not take another place. */
  isFull(holder: K): boolean;
  /** Returns the holders that have their share. */
  full(): K[];
}

/**
 * Shares places without a fixed quota: each holder leaves `leaves` free places for each that it takes. With
 * one, it gets half of them if it is alone; beside `n` others, one in `n + 2`. A holder that keeps its places for long leaves some to others.
 */
export function openShares<K>(places: number, leaves = 1): Shares<K> {
  const held = new Map<K, number>();
  const isMet = (count: number) => count * leaves >= places - taken;
  let taken = 0;
  const change = (holder: K, by: 1 | -1) => {
    taken += by;
    const count = (held.get(holder) ?? 0) + by;
    if (count > 0) {
      held.set(holder, count);
    } else {
      held.delete(holder);
    }
  };
  return {
    enter(holder) {
      change(holder, 1);
      return () => change(holder, -1);
    },
    isFull: (holder) => isMet(held.get(holder) ?? 0),
    full: () => [...held].flatMap(([holder, count]) => (isMet(count) ? [holder] : [])),
  };
}

/** Limits only the number of places together: a holder may take all of them. */
export function openPlaces(places: number): Pick<Shares<unknown>, 'enter' | 'isFull'> {
  let taken = 0;
  return {
    enter() {
      taken += 1;
      return () => {
        taken -= 1;
      };
    },
    isFull: () => taken >= places,
  };
}
