interface Keeping<V> {
  /** How long an unused value is kept, in milliseconds. */
  readonly forMs: number;
  readonly clock: () => number;
  readonly letGo: (value: V) => void;
}

interface IdleEntry<V> {
  readonly value: V;
  readonly usedAt: number;
}

/**
 * Returns a cache of values by name. A value that is unused for `forMs` is let go after at most twice
 * that time, also where no other value is used any more.
 */
export function idleCache<V>({ forMs, clock, letGo }: Keeping<V>) {
  /** In the order of their last use, the latest at the end. */
  const kept = new Map<string, IdleEntry<V>>();
  const forgetUnused = (now: number) => {
    for (const [name, { value, usedAt }] of kept) {
      if (now - usedAt < forMs) {
        return;
      }
      kept.delete(name);
      letGo(value);
    }
  };
  let sweeping: NodeJS.Timeout | undefined;
  const sweepLater = () => {
    sweeping ??= setTimeout(() => {
      sweeping = undefined;
      forgetUnused(clock());
      if (kept.size > 0) {
        sweepLater();
      }
    }, forMs).unref();
  };
  return {
    /** Returns the value of a name; makes one where there is none, or where `isFit` rejects it. */
    use(name: string, isFit: (value: V) => boolean, make: () => V): V {
      const known = kept.get(name)?.value;
      kept.delete(name);
      const now = clock();
      forgetUnused(now);
      const value = known !== undefined && isFit(known) ? known : make();
      if (known !== undefined && known !== value) {
        letGo(known);
      }
      kept.set(name, { value, usedAt: now });
      sweepLater();
      return value;
    },
  };
}
