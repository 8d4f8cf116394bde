import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import type { GuardedThread } from './guarded-thread.ts';

interface SharedThreadsOptions<I, O> {
  readonly open: () => GuardedThread<I, O>;
  readonly threads: number;
  /** Waiting inputs of one holder. Default: any number. */
  readonly waitingMax?: number;
}

/**
 * Runs an input for a holder, until `signal` is aborted. Rejects like the thread, or with `TooManyWait`.
 */
export type RunShared<I, O> = (holder: string, input: I, signal?: AbortSignal) => Promise<O>;

/** Shares threads among holders: each uses one at a time, since its work may all be slow. */
export function shareThreads<I, O>({
  open,
  threads,
  waitingMax = Infinity,
}: SharedThreadsOptions<I, O>): RunShared<I, O> {
  const gate = openGate({ shares: openShares<string>(threads, threads - 1), waitingMax });
  const idle = Array.from({ length: threads }, open);
  const runOne = async (input: I, signal?: AbortSignal) => {
    // The last used thread still runs. Never undefined: the gate admits no more inputs.
    const thread = idle.pop() ?? open();
    try {
      return await thread.run(input, signal);
    } finally {
      idle.push(thread);
    }
  };
  return (holder, input, signal) => gate.run(holder, () => runOne(input, signal), signal);
}
