import type { Notifications } from '#core/tools.ts';
import { sleep } from '#lib/abort.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';
import { openNoticeConnection } from './listen.ts';

const CHANNEL = 'frontdesk_changes';
/** How often followers of a topic poll when no notice comes. */
const WAKE_UNHEARD_MS = 1_000;

/** Notices between processes: the name of a changed table, or of another topic. */
export interface Changes extends Notifications {
  /** False while notices may be lost: caches must then ask the database. */
  readonly isListening: boolean;
  onChange(table: string, forget: () => void): void;
  close(): Promise<void>;
}

/** For a process that runs one command and caches nothing. */
export const noChanges: Changes = {
  isListening: false,
  onChange: () => undefined,
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
  const forgetAll = () => listeners.forEach((set) => set.forEach((forget) => forget()));
  const watch = (topic: string, wake: () => void) => {
    const set = listeners.get(topic) ?? new Set();
    listeners.set(topic, set.add(wake));
    return () => void (set.delete(wake) && set.size === 0 && listeners.delete(topic));
  };
  let isListening = false;
  const asking = setInterval(() => !isListening && forgetAll(), WAKE_UNHEARD_MS);
  asking.unref();

  const hear = () => {
    if (!isListening) {
      forgetAll();
      isListening = true;
    }
  };
  const lose = (why: string) => {
    if (isListening && !closing.signal.aborted) {
      log.warn({ why }, 'no notifications of changes arrive; caches are not used meanwhile');
    }
    isListening = false;
    forgetAll();
  };
  const listening = keepListening(url, database, closing.signal, {
    hear,
    lose,
    changed: (table) => listeners.get(table)?.forEach((forget) => forget()),
  });

  return {
    get isListening() {
      return isListening;
    },
    onChange: watch,
    watch,
    async close() {
      clearInterval(asking);
      closing.abort();
      await listening;
    },
  };
}

interface Ear {
  hear(): void;
  lose(why: string): void;
  changed(table: string): void;
}

const RECONNECT_MS = 500;

async function keepListening(
  url: string,
  database: Database,
  closing: AbortSignal,
  ear: Ear,
): Promise<void> {
  while (!closing.aborted) {
    await listenOnce(url, database, closing, ear).catch((error: unknown) =>
      ear.lose(String(error)),
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
  ear: Ear,
): Promise<void> {
  const probe = `probe:${crypto.randomUUID()}`;
  let echoed = () => {};
  const connection = await openNoticeConnection(url, CHANNEL, {
    onNotice: (payload) => (payload === probe ? echoed() : ear.changed(payload)),
    onLost: ear.lose,
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
      ear.hear();
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
