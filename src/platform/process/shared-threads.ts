import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import type { GuardedThread } from './guarded-thread.ts';

interface SharedThreadsOptions<I, O> {
  readonly open: () => GuardedThread<I, O>;
  readonly threads: number;
  /** Waiting inputs of one holder. Default: any number. */
  readonly waitingMax?: number;
}

/** Runs an input for a holder. Rejects like the thread, or with `TooManyWait`. */
export type RunShared<I, O> = (holder: string, input: I) => Promise<O>;

/** Shares threads among holders: each uses one at a time, since its work may all be slow. */
export function shareThreads<I, O>({
  open,
  threads,
  waitingMax = Infinity,
}: SharedThreadsOptions<I, O>): RunShared<I, O> {
  const gate = openGate({ shares: openShares<string>(threads, threads - 1), waitingMax });
  const idle = Array.from({ length: threads }, open);
  return (holder, input) =>
    gate.run(holder, async () => {
      // The last used thread still runs. Never undefined: the gate admits no more inputs.
      const thread = idle.pop() ?? open();
      try {
        return await thread.run(input);
      } finally {
        idle.push(thread);
      }
    });
}
