/** The places that each holder takes of a limited number. */
export interface Shares<K> {
  /** Takes a place. Returns what to call to give it back. */
  enter(holder: K): () => void;
  /** Whether the holder has as many places as are free, and must not take another one. */
  isFull(holder: K): boolean;
  /** Returns the holders with as many places as are free. */
  full(): K[];
}

/**
 * Shares places without a fixed quota: each holder leaves as many places as it takes. Alone, it gets half
 * of them; beside `n` others, one in `n + 2`. A holder that keeps its places for long leaves some to others.
 */
export function openShares<K>(places: number): Shares<K> {
  const held = new Map<K, number>();
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
    isFull: (holder) => (held.get(holder) ?? 0) >= places - taken,
    full: () => [...held].flatMap(([holder, count]) => (count >= places - taken ? [holder] : [])),
  };
}
