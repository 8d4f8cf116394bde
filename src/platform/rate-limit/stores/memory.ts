import type { Spent, Consumption } from '#core/rate-limit.ts';

/** About 40 MB when full: the limit against floods of addresses. */
const WINDOWS_MAX = 100_000;

interface Window {
  readonly bucket: string;
  readonly resetsAt: number;
  used: number;
}

/** Windows of one length expire in the order they opened: the queue is sorted by expiry. */
interface SameLength {
  readonly byBucket: Map<string, Window>;
  readonly byExpiry: Fifo<Window>;
}

/**
 * Counts in this process. Expired windows are dropped when others open; at `windowsMax`, the window
 * that expires first is dropped. A bucket is counted separately for each window length.
 */
export function openMemoryStore(
  windowsMax = WINDOWS_MAX,
  now: () => number = Date.now,
): (consumption: Consumption) => Spent {
  const byLength = new Map<number, SameLength>();

  return ({ bucket, limit, windowMs, cost }) => {
    const at = now();
    let window = byLength.get(windowMs)?.byBucket.get(bucket);
    if (!window || hasEnded(window, windowMs, at)) {
      dropExpired(byLength, at);
      makeRoom(byLength, windowsMax);
      window = { bucket, resetsAt: at + windowMs, used: 0 };
      add(byLength, windowMs, window);
    }
    const granted = Math.max(0, Math.min(cost, limit - window.used));
    window.used += granted;
    return { granted, remaining: Math.max(0, limit - window.used), resetsAt: window.resetsAt };
  };
}

/** A window that ends later than a new window would was opened by a clock that was ahead. */
const hasEnded = ({ resetsAt }: Window, windowMs: number, at: number): boolean =>
  resetsAt <= at || resetsAt > at + windowMs;

function dropExpired(byLength: Map<number, SameLength>, at: number): void {
  for (const [windowMs, same] of byLength) {
    for (
      let next = front(same.byExpiry);
      next && hasEnded(next, windowMs, at);
      next = front(same.byExpiry)
    ) {
      drop(same);
    }
    if (same.byBucket.size === 0) {
      byLength.delete(windowMs);
    }
  }
}

function makeRoom(byLength: Map<number, SameLength>, windowsMax: number): void {
  const all = [...byLength.values()];
  const open = all.reduce((total, { byBucket }) => total + byBucket.size, 0);
  if (open >= windowsMax) {
    drop(all.reduce((soonest, same) => (expiry(same) < expiry(soonest) ? same : soonest)));
  }
}

const expiry = ({ byExpiry }: SameLength): number => front(byExpiry)?.resetsAt ?? Infinity;

function drop({ byBucket, byExpiry }: SameLength): void {
  const window = front(byExpiry);
  // After the clock was set back, a bucket may be queued twice.
  if (window && byBucket.get(window.bucket) === window) {
    byBucket.delete(window.bucket);
  }
  dropFront(byExpiry);
}

function add(byLength: Map<number, SameLength>, windowMs: number, window: Window): void {
  const same = byLength.get(windowMs) ?? { byBucket: new Map(), byExpiry: emptyFifo<Window>() };
  byLength.set(windowMs, same);
  same.byBucket.set(window.bucket, window);
  same.byExpiry.items.push(window);
}

/** A queue. A Map would not do: finding its first entry walks over all deleted ones. */
interface Fifo<T> {
  readonly items: T[];
  head: number;
}

const emptyFifo = <T>(): Fifo<T> => ({ items: [], head: 0 });

const front = <T>({ items, head }: Fifo<T>): T | undefined => items[head];

/** Drops the front. Memory is released in halves: the amortized cost is constant. */
function dropFront<T>(queue: Fifo<T>): void {
  queue.head += 1;
  if (queue.head * 2 > queue.items.length) {
    queue.items.splice(0, queue.head);
    queue.head = 0;
  }
}
