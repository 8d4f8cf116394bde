import type { Spent } from '#core/rate-limiter.ts';
import { dropFront, emptyFifo, front, type Fifo } from './fifo.ts';
import type { Consumption } from '../rate-store.ts';

/** Some 40 MB when full; a flood of addresses costs no more than that. */
const MOST_WINDOWS = 100_000;

interface Window {
  readonly bucket: string;
  readonly resetsAt: number;
  used: number;
}

/** Windows of one length expire in the order they opened, so that a line of them is by expiry. */
interface SameLength {
  readonly byBucket: Map<string, Window>;
  readonly byExpiry: Fifo<Window>;
}

/**
 * Counts in this process. Expired windows are dropped as others open; when `most` are open, the one
 * that would expire first makes room. A bucket counts apart for each window length it is used with.
 */
export function openMemoryStore(
  most = MOST_WINDOWS,
  now: () => number = Date.now,
): (consumption: Consumption) => Spent {
  const byLength = new Map<number, SameLength>();

  return ({ bucket, limit, windowMs, cost }) => {
    const at = now();
    let window = byLength.get(windowMs)?.byBucket.get(bucket);
    if (!window || window.resetsAt <= at) {
      dropExpired(byLength, at);
      makeRoom(byLength, most);
      window = { bucket, resetsAt: at + windowMs, used: 0 };
      add(byLength, windowMs, window);
    }
    const granted = Math.max(0, Math.min(cost, limit - window.used));
    window.used += granted;
    return { granted, remaining: Math.max(0, limit - window.used), resetsAt: window.resetsAt };
  };
}

function dropExpired(byLength: Map<number, SameLength>, at: number): void {
  for (const [windowMs, same] of byLength) {
    while (expiry(same) <= at) {
      drop(same);
    }
    if (same.byBucket.size === 0) {
      byLength.delete(windowMs);
    }
  }
}

function makeRoom(byLength: Map<number, SameLength>, most: number): void {
  const all = [...byLength.values()];
  const open = all.reduce((total, { byBucket }) => total + byBucket.size, 0);
  if (open >= most) {
    drop(all.reduce((soonest, same) => (expiry(same) < expiry(soonest) ? same : soonest)));
  }
}

const expiry = ({ byExpiry }: SameLength): number => front(byExpiry)?.resetsAt ?? Infinity;

function drop({ byBucket, byExpiry }: SameLength): void {
  const window = front(byExpiry);
  // After the clock was set back a bucket may stand in line twice.
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
