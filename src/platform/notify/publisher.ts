import { aborted, sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
import { newWakeSignal, type WakeSignal } from '#lib/wake-signal.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';
import { openNoticeConnection } from './listen.ts';
import { idsIn, OUTBOX_CHANNEL } from './outbox-notifier.ts';
import { openNodeLanes } from './node-lanes.ts';

/** Events in one transaction: in the first batch of a burst, and at most. */
const BATCH = 1_000;
const BATCH_MAX = 8_000;
/** A full batch that takes less than this doubles the next one; `SLOW_MS` or more halves it. */
const QUICK_MS = 50;
const SLOW_MS = 500;
/** Slow batches are not halved below this, only failed ones: each may wait for an unavailable node. */
const SLOW_BATCH_MIN = 100;
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
  backlog.size = sizeAfter(tookMs, atMost, published);
  return published;
}

/** Returns the size of the next batch. */
function sizeAfter(tookMs: number, atMost: number, published: number): number {
  if (tookMs < QUICK_MS) {
    return Math.min(2 * atMost, published < atMost ? BATCH : BATCH_MAX);
  }
  if (published < atMost) {
    return Math.min(atMost, BATCH);
  }
  return tookMs < SLOW_MS ? atMost : Math.max(atMost >> 1, Math.min(atMost, SLOW_BATCH_MIN));
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
  const lanes = openNodeLanes(options, stopping.signal);
  const listening = keepListening(options, stopping.signal, async (payload) => {
    const isTaken = await lanes.take(idsIn(payload)).catch(() => false);
    if (!isTaken) {
      outboxChanged.notify();
    }
  });
  const publishing = keepPublishing(options, stopping.signal, outboxChanged);
  return {
    async stop() {
      stopping.abort();
      outboxChanged.notify();
      await Promise.all([listening, publishing, lanes.close()]);
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
  onNotice: (payload: string) => Promise<void>,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const connection = await openNoticeConnection(url, OUTBOX_CHANNEL, {
        onNotice: (payload) => void onNotice(payload),
        onLost: (why) => log.debug({ why }, 'outbox notices do not arrive'),
      });
      await onNotice('');
      await aborted(AbortSignal.any([stopping, connection.lost]));
      await connection.close();
    } catch (error) {
      log.debug({ err: error }, 'outbox notices do not arrive');
    }
    await sleep(RECONNECT_MS, stopping);
  }
}
