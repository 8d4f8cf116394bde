/** First in, first out. A Map cannot serve: finding its first entry walks over all deleted ones. */
export interface Fifo<T> {
  readonly items: T[];
  head: number;
}

export const emptyFifo = <T>(): Fifo<T> => ({ items: [], head: 0 });

export const front = <T>({ items, head }: Fifo<T>): T | undefined => items[head];

/** Drops the front; the room it took is given back in halves, so that a drop costs the same at any length. */
export function dropFront<T>(line: Fifo<T>): void {
  line.head += 1;
  if (line.head * 2 > line.items.length) {
    line.items.splice(0, line.head);
    line.head = 0;
  }
}
