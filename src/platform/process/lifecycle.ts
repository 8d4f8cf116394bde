import { STOP_SIGNALS } from '#lib/stop-signals.ts';
import { containEscaped } from './activity.ts';
import type { Logger } from '../config/logger.ts';

const GRACE_MS = 30_000;
/** How long stopping may take once `hurry` is aborted. */
const LAST_MS = 10_000;
/** The terminal sends Ctrl-C to this process, and `npm start` forwards it again. */
const SAME_SIGNAL_MS = 500;
/** Stops a part of the process; `hurry` is aborted when running work can no longer finish. */
type Stop = (hurry: AbortSignal) => Promise<unknown>;

/** The end of a long-running process: the same for signals, failures and calls of `end`. */
export interface Lifecycle {
  /** Parts stop one after another, the last registered first. */
  onStop(part: string, stop: Stop): void;
  /** Ends the process; exit code 1 stands for a failure. */
  end(exitCode: 0 | 1, why: string): void;
}

export interface Ended {
  readonly until: Promise<0 | 1>;
}

/**
 * Starts the parts of a process and stops them on a signal, on `end`, or when an error escapes that
 * belongs to no request, stream or job. If the start fails, the parts started before are stopped. An end
 * during the start waits until the start is done.
 */
export async function live<R>(
  log: Logger,
  start: (lifecycle: Lifecycle) => Promise<R>,
): Promise<R & Ended> {
  const parts: { readonly name: string; readonly stop: Stop }[] = [];
  const ending = Promise.withResolvers<0 | 1>();
  const hurry = new AbortController();
  const end: Lifecycle['end'] = (exitCode, why) => {
    log.info({ why }, 'stopping');
    ending.resolve(exitCode);
  };
  const stopListening = listenForEnd(log, end, hurry);
  const stopAll = async () => {
    const patience = setTimeout(() => hurry.abort(), GRACE_MS);
    const stopped = await stopParts(log, parts.toReversed(), hurry.signal);
    clearTimeout(patience);
    stopListening();
    return stopped;
  };
  try {
    const started = await start({
      onStop: (name, stop) => void parts.push({ name, stop }),
      end,
    });
    const until = ending.promise.then(async (code) => {
      if (!(await stopAll())) {
        return 1;
      }
      log.info('stopped');
      return code;
    });
    return { ...started, until };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** A part that fails to stop does not keep the others running. */
async function stopParts(
  log: Logger,
  parts: readonly { readonly name: string; readonly stop: Stop }[],
  hurry: AbortSignal,
): Promise<boolean> {
  let allStopped = true;
  for (const { name, stop } of parts) {
    try {
      await stop(hurry);
      log.debug({ part: name }, 'stopped');
    } catch (error) {
      allStopped = false;
      log.error({ err: error, part: name }, 'a part of the process did not stop cleanly');
    }
  }
  return allStopped;
}

/** Ends the process on signals and escaped errors. A second signal aborts `hurry`. */
function listenForEnd(log: Logger, end: Lifecycle['end'], hurry: AbortController): () => void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      end(0, signal);
    } else if (now - firstAt > SAME_SIGNAL_MS) {
      log.warn({ why: signal }, 'stopping without waiting');
      hurry.abort();
    }
  };
  const onEscaped = (origin: 'exception' | 'rejection') => (error: unknown) => {
    if (!containEscaped(log, error, origin)) {
      log.fatal({ err: error }, 'an error escaped; this is a bug');
      end(1, 'an error escaped');
      hurry.abort();
    }
  };
  const onException = onEscaped('exception');
  const onRejection = onEscaped('rejection');
  // A hanging part must not keep the process alive.
  hurry.signal.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), LAST_MS).unref();
  });
  for (const signal of STOP_SIGNALS) {
    process.on(signal, onSignal);
  }
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    for (const signal of STOP_SIGNALS) {
      process.off(signal, onSignal);
    }
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}
