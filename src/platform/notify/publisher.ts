import { aborted, sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
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

/** A pass over all events takes at most this share of a publisher's time. */
const WHOLE_PASSES_SHARE = 0.1;
/** Events that are older than this when their transaction begins may have to wait for a pass over all. */
const LATE_MS = 1_000;
/** No change takes as long. A transaction that was left open would make all passes slow. */
const LONGEST_CHANGE_MS = 5 * MINUTE_MS;
const SMALLEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Hot (bench: deliver-webhooks, deliver-after-burst), hence SQL. The start of the oldest transaction that
 * writes is read first: a transaction that ends meanwhile still counts.
 */
const PUBLISH = `select least(now(), (
    select min(xact_start) from pg_stat_get_activity(null)
    where backend_xid is not null
      and datid = (select oid from pg_database where datname = current_database())
  )) as "writingSince", now() as at,
  publish_events($1, $2) as published, batches_are_shared() as "isShared"`;
const ARE_LATE = `select from outbox where ctid = any(next_unpublished(1, $2)) and id <= $1`;
const PUBLISH_OF = 'select publish_events_of($1, $2) as published';

type Rows = Pick<Database, 'rows'>;

/** What a publisher knows of the events that wait. */
export interface Backlog {
  /** Events in the next transaction. */
  size: number;
  /** All events up to this id were published, apart from late ones. */
  since: string;
  /** When the next pass over all events may begin, by `performance.now()`. */
  wholeAt: number;
  /** Whether late events may wait for that pass. */
  isPartial: boolean;
}

export const newBacklog = (): Backlog => ({
  size: BATCH,
  since: SMALLEST_ID,
  wholeAt: 0,
  isPartial: false,
});

/**
 * Publishes until the outbox is empty; returns the number of events. A burst of small events takes few
 * transactions. A batch of large ones that fails by the statement timeout is smaller the next time.
 * After `stopping` no further batch begins.
 *
 * A pass over all events is slow while an open transaction, as of a backup, keeps the rows of published
 * ones. Passes in between read only what came since.
 */
export async function publishAll(
  database: Rows,
  backlog: Backlog = newBacklog(),
  stopping?: AbortSignal,
): Promise<number> {
  backlog.isPartial = true;
  for (let total = 0; ;) {
    const count = await publishBatch(database, backlog);
    total += count;
    // A batch of a cluster has events of one sub-account only: others may wait.
    if (count === 0 || stopping?.aborted) {
      return total;
    }
  }
}

async function publishBatch(database: Rows, backlog: Backlog): Promise<number> {
  const atMost = backlog.size;
  backlog.size = Math.max(1, atMost >> 1);
  const startedAt = performance.now();
  const isWhole = startedAt >= backlog.wholeAt;
  const [row] = await database.rows<PublishedRow>(PUBLISH, [
    atMost,
    isWhole ? SMALLEST_ID : backlog.since,
  ]);
  const { published, isShared, writingSince, at } = row as PublishedRow;
  const endedAt = performance.now();
  const tookMs = endedAt - startedAt;
  if (isWhole) {
    const isNextWhole = isShared && published === atMost && (await areLate(database, backlog));
    backlog.wholeAt = isNextWhole ? 0 : endedAt + tookMs / WHOLE_PASSES_SHARE;
    if (published === 0 || (isShared && published < atMost)) {
      const earliest = at.getTime() - LONGEST_CHANGE_MS;
      const since = Math.max(writingSince.getTime(), earliest) - LATE_MS;
      backlog.since = firstIdAt(new Date(since));
      backlog.isPartial = false;
    }
  }
  if (tookMs < SLOW_MS) {
    backlog.size = tookMs < QUICK_MS ? Math.min(2 * atMost, BATCH_MAX) : atMost;
  }
  if (published < atMost) {
    backlog.size = Math.min(backlog.size, BATCH);
  }
  return published;
}

interface PublishedRow {
  readonly published: number;
  readonly isShared: boolean;
  /** When the oldest transaction that may still commit events began. */
  readonly writingSince: Date;
  readonly at: Date;
}

/** Whether the oldest waiting event is a late one: those of one transaction are published together. */
const areLate = async ({ rows }: Rows, { since }: Backlog): Promise<boolean> =>
  (await rows(ARE_LATE, [since, SMALLEST_ID])).length > 0;

/** Publishes the waiting events of one sub-account, for a change or request that needs them now. */
export async function publishOwn({ rows, subAccountId }: View): Promise<void> {
  for (let count = BATCH; count === BATCH;) {
    const [row] = await rows<{ published: number }>(PUBLISH_OF, [subAccountId, BATCH]);
    count = row?.published ?? 0;
  }
}

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
  const backlog = newBacklog();
  while (!stopping.aborted) {
    let waitMs = pollIntervalMs;
    try {
      await publishAll(database, backlog, stopping);
      if (backlog.isPartial) {
        const untilWholeMs = Math.max(1, backlog.wholeAt - performance.now());
        waitMs = Math.min(pollIntervalMs, untilWholeMs);
      }
    } catch (error) {
      log.warn({ err: error }, 'events not published; trying again');
    }
    await outboxChanged.wait(waitMs);
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
