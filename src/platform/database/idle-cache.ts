interface IdleCacheOptions<V> {
  /** How long an unused value is kept, in milliseconds. */
  readonly forMs: number;
  readonly clock: () => number;
  readonly dispose: (value: V) => void;
}

interface IdleEntry<V> {
  readonly value: V;
  readonly usedAt: number;
}

/**
 * Returns a cache of values by name. A value that is unused for `forMs` is disposed of after at most
 * twice that time, even if the cache is not used any more.
 */
export function idleCache<V>({ forMs, clock, dispose }: IdleCacheOptions<V>) {
  /** Ordered by last use, the latest last. */
  const kept = new Map<string, IdleEntry<V>>();
  const forgetUnused = (now: number) => {
    for (const [name, { value, usedAt }] of kept) {
      if (now - usedAt < forMs) {
        return;
      }
      kept.delete(name);
      dispose(value);
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
    /** Returns the value of a name, or makes one if there is none or `isFit` rejects it. */
    use(name: string, isFit: (value: V) => boolean, make: () => V): V {
      const known = kept.get(name)?.value;
      kept.delete(name);
      const now = clock();
      forgetUnused(now);
      const value = known !== undefined && isFit(known) ? known : make();
      if (known !== undefined && known !== value) {
        dispose(known);
      }
      kept.set(name, { value, usedAt: now });
      sweepLater();
      return value;
    },
  };
}
