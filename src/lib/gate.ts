import type { Shares } from './shares.ts';

/** A limited number of places, which holders take in the order of their requests. */
export interface Gate<K> {
  /**
   * Runs `act` once the holder has a place: at once if one is free. Rejects without having run it if
   * `signal` is aborted before that, or if too many calls of the holder wait.
   */
  run<T>(holder: K, act: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * The same without a call: resolves with what gives the place back. `late` is called only if the holder
   * must wait.
   */
  enter(holder: K, late?: () => AbortSignal): Promise<() => void>;
  /** The same without a promise if a place is free. */
  enterNow(holder: K, late?: () => AbortSignal): (() => void) | Promise<() => void>;
}

interface GateOptions<K> {
  readonly shares: Pick<Shares<K>, 'enter' | 'isFull'>;
  /** Waiting calls of one holder. Default: any number. */
  readonly waitingMax?: number;
}

/** A holder has as many waiting calls as it may have. */
export class TooManyWait extends Error {}

type Waiting<K> = Map<K, Set<() => void>>;

/** Calls that find no place wait; each place goes to the holder that waits longest. */
export function openGate<K>({ shares, waitingMax = Infinity }: GateOptions<K>): Gate<K> {
  const waiting: Waiting<K> = new Map();
  const wake = () => admitWaiting(waiting, shares);
  const admitted = async (holder: K, signal: AbortSignal | undefined): Promise<() => void> => {
    signal?.throwIfAborted();
    const calls = waiting.get(holder) ?? new Set();
    if (calls.size >= waitingMax) {
      throw new TooManyWait(`too many calls of ${String(holder)} wait`);
    }
    waiting.set(holder, calls);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const admit = () => {
      calls.delete(admit);
      resolve(shares.enter(holder));
    };
    const giveUp = () => {
      calls.delete(admit);
      if (calls.size === 0 && waiting.get(holder) === calls) {
        waiting.delete(holder);
      }
      reject(signal?.reason as Error);
    };
    calls.add(admit);
    signal?.addEventListener('abort', giveUp, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', giveUp));
  };
  /** Returns a place at once if one is free. */
  const placeFor = (holder: K, late?: () => AbortSignal | undefined) =>
    waiting.has(holder) || shares.isFull(holder)
      ? admitted(holder, late?.())
      : shares.enter(holder);
  const enterNow = (holder: K, late?: () => AbortSignal | undefined) => {
    const place = placeFor(holder, late);
    return typeof place === 'function'
      ? inOrder(place, wake)
      : place.then((leave) => inOrder(leave, wake));
  };
  return {
    enterNow,
    enter: async (holder, late) => enterNow(holder, late),
    async run(holder, act, signal) {
      const place = enterNow(holder, () => signal);
      const leave = typeof place === 'function' ? place : await place;
      try {
        return await act();
      } finally {
        leave();
      }
    },
  };
}

/**
 * Calls `act`, which takes a place once it calls `takePlace`, and leaves it at its end. A call that ends
 * while it waits takes none.
 */
export async function withLatePlace<K, T>(
  gate: Pick<Gate<K>, 'enter'>,
  holder: K,
  act: (takePlace: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  let place: Promise<() => void> | undefined;
  try {
    return await act(async () => {
      place ??= gate.enter(holder, () => ended.signal);
      await place;
    });
  } finally {
    ended.abort();
    place?.then(
      (leave) => leave(),
      () => undefined,
    );
  }
}

function admitWaiting<K>(waiting: Waiting<K>, shares: Pick<Shares<K>, 'isFull'>): void {
  const queues = [...waiting];
  for (const [holder, calls] of queues) {
    if (shares.isFull(holder)) {
      continue;
    }
    const [admit] = calls;
    admit?.();
    // The next place is for another holder.
    waiting.delete(holder);
    if (calls.size > 0) {
      waiting.set(holder, calls);
    }
  }
}

const inOrder = (first: () => void, next: () => void) => () => {
  first();
  next();
};
