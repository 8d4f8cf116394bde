import { aborted, sleep } from '#lib/abort.ts';
import { newWakeSignal, type WakeSignal } from '#lib/wake-signal.ts';
import type { View } from '#core/work.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';
import { openNoticeConnection } from './listen.ts';

/** Events in one transaction: in the first batch of a burst, and at most. */
const BATCH = 1_000;
const BATCH_MAX = 8_000;
/** A full batch that takes less than this doubles the next one; `SLOW_MS` or more halves it. */
const QUICK_MS = 50;
const SLOW_MS = 500;
const RECONNECT_MS = 500;

/** Hot (bench: deliver-webhooks, deliver-after-burst), hence SQL. */
const PUBLISH = 'select publish_events($1) as published';
const PUBLISH_OF = 'select publish_events_of($1, $2) as published';

type Rows = Pick<Database, 'rows'>;

/** Events in the next transaction. */
interface Batch {
  size: number;
}

/**
 * Publishes until the outbox is empty; returns the number of events. A burst of small events takes few
 * transactions. A batch of large ones that fails by the statement timeout is smaller the next time.
 * After `stopping` no further batch begins.
 */
export async function publishAll(
  { rows }: Rows,
  batch: Batch = { size: BATCH },
  stopping?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    const atMost = batch.size;
    batch.size = Math.max(1, atMost >> 1);
    const startedAt = performance.now();
    const count = await countOf(rows(PUBLISH, [atMost]));
    const tookMs = performance.now() - startedAt;
    total += count;
    if (tookMs < SLOW_MS) {
      batch.size = tookMs < QUICK_MS ? Math.min(2 * atMost, BATCH_MAX) : atMost;
    }
    if (count < atMost) {
      batch.size = Math.min(batch.size, BATCH);
    }
    // A batch of a cluster has events of one sub-account only: others may wait.
    if (count === 0 || stopping?.aborted) {
      return total;
    }
  }
}

/** Publishes the waiting events of one sub-account, for a change or request that needs them now. */
export async function publishOwn({ rows, subAccountId }: View): Promise<void> {
  for (let count = BATCH; count === BATCH;) {
    count = await countOf(rows(PUBLISH_OF, [subAccountId, BATCH]));
  }
}

const countOf = async (found: Promise<object[]>): Promise<number> => {
  const [row] = (await found) as { published: number }[];
  return row?.published ?? 0;
};

interface PublisherOptions {
  readonly url: string;
  readonly database: Pick<Database, 'rows'>;
  /** The longest delay of an event whose notice is lost, in milliseconds. */
  readonly pollIntervalMs: number;
  readonly log: Logger;
}

/**
 * Publishes events from the outbox until it is stopped, woken by notices. Any number of publishers may
 * run: a lock in the database lets one of them publish at a time.
 */
export function startPublisher(options: PublisherOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const outboxChanged = newWakeSignal();
  const listening = keepListening(options, stopping.signal, outboxChanged.notify);
  const publishing = keepPublishing(options, stopping.signal, outboxChanged);
  return {
    async stop() {
      stopping.abort();
      outboxChanged.notify();
      await Promise.all([listening, publishing]);
    },
  };
}

async function keepPublishing(
  { database, pollIntervalMs, log }: PublisherOptions,
  stopping: AbortSignal,
  outboxChanged: WakeSignal,
): Promise<void> {
  const batch = { size: BATCH };
  while (!stopping.aborted) {
    try {
      await publishAll(database, batch, stopping);
    } catch (error) {
      log.warn({ err: error }, 'events not published; trying again');
    }
    await outboxChanged.wait(pollIntervalMs);
  }
}

async function keepListening(
  { url, log }: PublisherOptions,
  stopping: AbortSignal,
  onNotice: () => void,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const connection = await openNoticeConnection(url, OUTBOX_CHANNEL, {
        onNotice,
        onLost: (why) => log.debug({ why }, 'outbox notices do not arrive'),
      });
      onNotice();
      await aborted(AbortSignal.any([stopping, connection.lost]));
      await connection.close();
    } catch (error) {
      log.debug({ err: error }, 'outbox notices do not arrive');
    }
    await sleep(RECONNECT_MS, stopping);
  }
}

/** The channel that publishers listen on. */
export const OUTBOX_CHANNEL = 'frontdesk_outbox';

/** Changes within this time share a notice: NOTIFY takes a lock that delays every commit. */
const REST_MS = 25;

export interface OutboxNotifier {
  /** Notifies publishers that the outbox has events; returns at once. */
  notify(): void;
  /** Waits until pending notices are sent. */
  close(): Promise<void>;
}

/**
 * Wakes publishers without a notice per change: the first notice is sent at once, changes shortly after
 * share the next. A lost notice delays events by a poll interval.
 */
export function openOutboxNotifier(database: Pick<Database, 'rows'>, log: Logger): OutboxNotifier {
  let notifying: Promise<void> | undefined;
  let again = false;
  let closing = false;

  const send = async () => {
    try {
      await database.rows('select pg_notify($1, $2)', [OUTBOX_CHANNEL, '']);
    } catch (error) {
      log.debug({ err: error }, 'outbox notice not sent');
    }
  };
  const notifyUntilQuiet = async () => {
    do {
      again = false;
      await send();
      if (!closing) {
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
      }
    } while (again);
    notifying = undefined;
  };
  return {
    notify() {
      again = true;
      notifying ??= notifyUntilQuiet();
    },
    async close() {
      closing = true;
      await notifying;
    },
  };
}
