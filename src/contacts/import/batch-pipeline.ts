interface Batch<T> {
  /** The addresses that the batch is about. */
  readonly keys: readonly string[];
  /** Whether it may run concurrently with earlier batches; otherwise it waits for all of them. */
  readonly isApart: boolean;
  readonly act: () => Promise<T>;
  /** Receives the result, in the order of the batches. */
  readonly settle: (done: T) => void;
}

interface RunningBatch {
  readonly keys: ReadonlySet<string>;
  readonly acting: Promise<unknown>;
  readonly settled: Promise<void>;
}

/** Runs batches of a file concurrently, `concurrency` at most and only about different addresses. */
export function openBatches<T>(concurrency: number) {
  const running: RunningBatch[] = [];
  const downTo = async (count: number) => {
    while (running.length > count) {
      await running[0]?.settled;
      running.shift();
    }
  };
  return {
    /** Whether no running batch is about any of these keys. */
    lacks: (keys: readonly string[]): boolean =>
      !running.some((batch) => keys.some((key) => batch.keys.has(key))),
    /** Starts a batch once there is room. Rejects if an earlier batch failed. */
    async add({ keys, isApart, act, settle }: Batch<T>): Promise<void> {
      await downTo(isApart ? concurrency - 1 : 0);
      const acting = act();
      const settled = settleAfter(running.at(-1)?.settled, acting, settle);
      // `add` and `drain` report a failure; until then it must not count as unhandled.
      settled.catch(() => undefined);
      running.push({ keys: new Set(keys), acting, settled });
    },
    drain: (): Promise<void> => downTo(0),
    /** Resolves once no batch writes any more, also after a failure. */
    async ended(): Promise<void> {
      await Promise.allSettled(running.map(({ acting }) => acting));
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
