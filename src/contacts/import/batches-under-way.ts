interface Batch<T> {
  /** What it is about. */
  readonly keys: readonly string[];
  /** Whether it may run beside those before it; else it waits for all of them. */
  readonly isApart: boolean;
  readonly act: () => Promise<T>;
  /** Takes what it came to, in the order of the batches. */
  readonly settle: (done: T) => void;
}

interface UnderWay {
  readonly keys: ReadonlySet<string>;
  readonly acting: Promise<unknown>;
  readonly settled: Promise<void>;
}

/** Batches of a file, of which so many run beside each other as are about different things. */
export function openBatches<T>(atOnce: number) {
  const underWay: UnderWay[] = [];
  const downTo = async (count: number) => {
    while (underWay.length > count) {
      await underWay[0]?.settled;
      underWay.shift();
    }
  };
  return {
    /** Whether nothing under way is about one of these. */
    lacks: (keys: readonly string[]): boolean =>
      !underWay.some((batch) => keys.some((key) => batch.keys.has(key))),
    /** Begins a batch once there is room; rejects where one before it failed. */
    async add({ keys, isApart, act, settle }: Batch<T>): Promise<void> {
      await downTo(isApart ? atOnce - 1 : 0);
      const acting = act();
      const settled = settleAfter(underWay.at(-1)?.settled, acting, settle);
      // Whoever waits for it learns of a failure; until then it is nobody's.
      settled.catch(() => undefined);
      underWay.push({ keys: new Set(keys), acting, settled });
    },
    drain: (): Promise<void> => downTo(0),
    /** After a failure: nothing writes any more once this resolves. */
    async ended(): Promise<void> {
      await Promise.allSettled(underWay.map(({ acting }) => acting));
    },
  };
}

async function settleAfter<T>(
  before: Promise<void> | undefined,
  acting: Promise<T>,
  settle: (done: T) => void,
): Promise<void> {
  const [done] = await Promise.all([acting, before]);
  settle(done);
}
