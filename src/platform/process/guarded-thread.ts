import { parentPort, Worker } from 'node:worker_threads';

/** Runs work whose time and memory a stranger decides, away from the main thread. */
export interface GuardedThread<I, O> {
  /**
   * Rejects with a `ThreadOverrun` if the limits end it, with the reason of an aborted `signal`, else with
   * the message of the error.
   */
  run(input: I, signal?: AbortSignal): Promise<O>;
}

interface GuardedThreadOptions {
  /** The file of the thread, which calls `serveThread`. */
  readonly file: URL;
  readonly deadlineMs: number;
  readonly memoryMaxMb: number;
  /** An idle thread ends after this time. */
  readonly idleMs: number;
}

/** The work took more time or memory than it may. */
export class ThreadOverrun extends Error {
  override readonly name = 'ThreadOverrun';
}

type Reply<O> = { readonly value: O } | { readonly error: string };

/**
 * Starts a thread for the first input, and ends it when it has been idle. It runs one input at a time, in
 * order. A thread that takes too long is ended, and the next input starts another.
 */
export function openGuardedThread<I, O>(options: GuardedThreadOptions): GuardedThread<I, O> {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = (ended: Worker | undefined) => {
    thread = thread === ended ? undefined : thread;
    void ended?.terminate();
  };
  const started = (): Worker => {
    clearTimeout(idle);
    if (!thread) {
      const begun = startThread(options);
      begun.once('exit', () => end(begun));
      thread = begun;
    }
    return thread;
  };
  const runNow = async (input: I, signal: AbortSignal | undefined): Promise<O> => {
    signal?.throwIfAborted();
    const used = started();
    try {
      return await replyOf<O>(used, input, { deadlineMs: options.deadlineMs, signal });
    } catch (error) {
      if (!(error instanceof WorkFailed)) {
        end(used);
      }
      throw error;
    } finally {
      idle = setTimeout(() => end(thread), options.idleMs).unref();
    }
  };
  return {
    run(input, signal) {
      const running = last.then(() => runNow(input, signal));
      last = running.catch(() => undefined);
      return running;
    },
  };
}

function startThread({ file, memoryMaxMb }: GuardedThreadOptions): Worker {
  const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb } });
  // Between two inputs there is no other listener, and an unheard error would end the process.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}

/** The work threw an error, and the thread is as good as before. */
class WorkFailed extends Error {}

interface ReplyLimits {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

async function replyOf<O>(
  thread: Worker,
  input: unknown,
  { deadlineMs, signal }: ReplyLimits,
): Promise<O> {
  const { promise, resolve, reject } = Promise.withResolvers<O>();
  const onMessage = (reply: Reply<O>) =>
    'value' in reply ? resolve(reply.value) : reject(new WorkFailed(reply.error));
  const onError = (error: Error) => reject(overrunOr(error));
  const onExit = () => reject(new Error('the thread ended'));
  const onAbort = () => reject(signal?.reason as Error);
  thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  const late = setTimeout(
    () => reject(new ThreadOverrun(`it takes longer than ${deadlineMs} ms`)),
    deadlineMs,
  );
  signal?.addEventListener('abort', onAbort, { once: true });
  thread.ref();
  thread.postMessage(input, []);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', onAbort);
    thread.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
  }
}

const overrunOr = (error: Error): Error =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ThreadOverrun('it takes too much memory')
    : error;

/** Called by the file of a thread: answers each input with the result of `work`. */
export function serveThread(work: (input: any) => Promise<unknown>): void {
  const answer = async (input: unknown): Promise<void> => {
    const reply: Reply<unknown> = await work(input).then(
      (value) => ({ value }),
      (error: Error) => ({ error: error.message }),
    );
    parentPort?.postMessage(reply, []);
  };
  parentPort?.on('message', (input: unknown) => void answer(input));
}
