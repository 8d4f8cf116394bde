import type { Notifications } from '#core/tools.ts';
import { sleep } from '#lib/abort.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';
import { openNoticeConnection } from './listen.ts';

const CHANNEL = 'frontdesk_changes';
/** How often those who watch are woken while notices may be lost. */
const WAKE_EVERY_MS = 1_000;

/** Notices between processes: the name of a changed table, or of another topic. */
export interface Changes extends Notifications {
  /** False while notices may be lost: caches must then ask the database. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

/** For a process that runs one command and caches nothing. */
export const noChanges: Changes = {
  isListening: false,
  watch: () => () => undefined,
  close: () => Promise.resolve(),
};

/**
 * Listens for changes on a connection of its own. At start and every few seconds a probe is sent through
 * the pool and must come back. So a pooler that swallows LISTEN makes reads slower but never stale, and
 * a connection that is silently dead leaves them stale for seconds at most.
 */
export function openChanges(url: string, database: Database, log: Logger): Changes {
  const closing = new AbortController();
  const listeners = new Map<string, Set<() => void>>();
  const wakeAll = () => listeners.forEach((set) => set.forEach((wake) => wake()));
  const watch = (topic: string, wake: () => void) => {
    const set = listeners.get(topic) ?? new Set();
    listeners.set(topic, set.add(wake));
    return () => void (set.delete(wake) && set.size === 0 && listeners.delete(topic));
  };
  let isListening = false;
  const waking = setInterval(() => !isListening && wakeAll(), WAKE_EVERY_MS);
  waking.unref();

  const onListening = () => {
    if (!isListening) {
      wakeAll();
      isListening = true;
    }
  };
  const onLost = (why: string) => {
    if (isListening && !closing.signal.aborted) {
      log.warn({ why }, 'no notifications of changes arrive; caches are not used meanwhile');
    }
    isListening = false;
    wakeAll();
  };
  const listening = keepListening(url, database, closing.signal, {
    onListening,
    onLost,
    onNotice: (topic) => listeners.get(topic)?.forEach((wake) => wake()),
  });

  return {
    get isListening() {
      return isListening;
    },
    watch,
    async close() {
      clearInterval(waking);
      closing.abort();
      await listening;
    },
  };
}

interface ListenHandlers {
  /** Called after each probe that came back. */
  onListening(): void;
  onLost(why: string): void;
  onNotice(topic: string): void;
}

const RECONNECT_MS = 500;

async function keepListening(
  url: string,
  database: Database,
  closing: AbortSignal,
  handlers: ListenHandlers,
): Promise<void> {
  while (!closing.aborted) {
    await listenOnce(url, database, closing, handlers).catch((error: unknown) =>
      handlers.onLost(String(error)),
    );
    await sleep(RECONNECT_MS, closing);
  }
}

const PROBE_EVERY_MS = 5_000;
const PROBE_TIMEOUT_MS = 2_000;

/** Always throws: when it is stopped, the connection is lost, or a probe does not come back. */
async function listenOnce(
  url: string,
  database: Database,
  closing: AbortSignal,
  handlers: ListenHandlers,
): Promise<void> {
  const probe = `probe:${crypto.randomUUID()}`;
  let echoed = () => {};
  const connection = await openNoticeConnection(url, CHANNEL, {
    onNotice: (payload) => (payload === probe ? echoed() : handlers.onNotice(payload)),
    onLost: handlers.onLost,
  });
  const ended = AbortSignal.any([closing, connection.lost]);
  try {
    for (;;) {
      const { promise: echo, resolve } = Promise.withResolvers<void>();
      echoed = resolve;
      // The wait begins once the probe is sent: a busy pool is slow, and empty caches would load it more.
      await database.rows('select pg_notify($1, $2)', [CHANNEL, probe]);
      await Promise.race([echo, probeTimeout(ended)]);
      ended.throwIfAborted();
      handlers.onListening();
      await sleep(PROBE_EVERY_MS, ended);
      ended.throwIfAborted();
    }
  } finally {
    await connection.close();
  }
}

async function probeTimeout(ended: AbortSignal): Promise<never> {
  await sleep(PROBE_TIMEOUT_MS, ended, { ref: false });
  ended.throwIfAborted();
  throw new Error('a notice did not come back');
}
