interface Keeping<V> {
  /** How long a value stays that nobody asks for. */
  readonly forMs: number;
  readonly clock: () => number;
  readonly letGo: (value: V) => void;
}

interface Kept<V> {
  readonly value: V;
  readonly usedAt: number;
}

/** Values by name for as long as they are used: what goes unused is let go with the next use of another. */
export function keepUsed<V>({ forMs, clock, letGo }: Keeping<V>) {
  /** Whatever was used last stands at the end. */
  const kept = new Map<string, Kept<V>>();
  const forgetUnused = (now: number) => {
    for (const [name, { value, usedAt }] of kept) {
      if (now - usedAt < forMs) {
        return;
      }
      kept.delete(name);
      letGo(value);
    }
  };
  return {
    /** The value of the name, made where there is none or where it is no longer fit. */
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
      return value;
    },
  };
}
