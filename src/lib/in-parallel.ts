interface Parallel<T, R> {
  /** Returns the next item, or undefined when nothing is left. */
  readonly next: () => Promise<T | undefined> | T | undefined;
  readonly act: (item: T) => Promise<R>;
  readonly atOnce: number;
  /** Receives finished items in batches, while others go on. */
  readonly settle: (done: readonly R[]) => Promise<void>;
  readonly settleEveryMs: number;
  /** A batch of this size is settled at once. */
  readonly settleAt: number;
}

/**
 * Processes many items at a time and settles finished ones without delaying the others. Rejects with the
 * first error after everything that had begun has ended; nothing begins after an error.
 */
export async function inParallel<T, R>(parallel: Parallel<T, R>): Promise<void> {
  const { next, act, atOnce, settle, settleEveryMs, settleAt } = parallel;
  const failure = new AbortController();
  const done: R[] = [];
  let wake = () => {};
  const guarded = async (part: () => Promise<void>) => {
    try {
      await part();
    } catch (error) {
      failure.abort(error);
    }
  };
  const take = () => (failure.signal.aborted ? undefined : next());
  const work = async () => {
    for (let item = await take(); item !== undefined; item = await take()) {
      done.push(await act(item));
      if (done.length >= settleAt) {
        wake();
      }
    }
  };
  let working = atOnce;
  const isWorking = () => working > 0;
  const places = Array.from({ length: atOnce }, async () => {
    await guarded(work);
    working -= 1;
    wake();
  });
  await guarded(async () => {
    while (isWorking() || done.length > 0) {
      if (isWorking() && done.length < settleAt) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, settleEveryMs);
          wake = () => (clearTimeout(timer), resolve());
        });
      }
      if (done.length > 0) {
        await settle(done.splice(0));
      }
    }
  });
  await Promise.all(places);
  failure.signal.throwIfAborted();
}
