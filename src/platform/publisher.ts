import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';
import { OUTBOX_CHANNEL } from './doorbell.ts';
import type { Logger } from './logger.ts';
import { openNoticeLine } from './notice-line.ts';

/** Events that one transaction publishes: enough to be quick, few enough to be fair. */
const BATCH = 1_000;
const RECONNECT_MS = 500;

const PUBLISH = 'select publish_events($1) as published';

/** Publishes until the outbox is empty; answers how many events that were. */
export async function publishAll(database: Pick<Database, 'rows'>): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await database.rows<{ published: number }>(PUBLISH, [BATCH]);
    total += row?.published ?? 0;
    if ((row?.published ?? 0) < BATCH) {
      return total;
    }
  }
}

interface PublisherOptions {
  readonly url: string;
  readonly database: Pick<Database, 'rows'>;
  /** How late an event is published at most where its notice is lost. */
  readonly pollIntervalMs: number;
  readonly log: Logger;
}

/**
 * Moves events from the outbox into their order for as long as the process lives, woken by notices.
 * Any number may run: the database lets one publish at a time.
 */
export function startPublisher(options: PublisherOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const bell = newBell();
  const listening = keepListening(options, stopping.signal, bell.ring);
  const publishing = keepPublishing(options, stopping.signal, bell);
  return {
    async stop() {
      stopping.abort();
      bell.ring();
      await Promise.all([listening, publishing]);
    },
  };
}

interface Bell {
  ring(): void;
  /** Until the next ring, or the time is over. */
  heard(withinMs: number): Promise<void>;
}

/** A ring while nobody waits is kept for the next who does. */
function newBell(): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async heard(withinMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          wake = () => (clearTimeout(timer), resolve());
        });
      }
      rung = false;
    },
  };
}

async function keepPublishing(
  { database, pollIntervalMs, log }: PublisherOptions,
  stopping: AbortSignal,
  bell: Bell,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await publishAll(database);
    } catch (error) {
      log.warn({ err: error }, 'events not published; trying again');
    }
    await bell.heard(pollIntervalMs);
  }
}

async function keepListening(
  { url, log }: PublisherOptions,
  stopping: AbortSignal,
  ring: () => void,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const line = await openNoticeLine(url, OUTBOX_CHANNEL, {
        onNotice: ring,
        onLost: (why) => log.debug({ why }, 'outbox notices are not heard'),
      });
      ring();
      await aborted(AbortSignal.any([stopping, line.lost]));
      await line.close();
    } catch (error) {
      log.debug({ err: error }, 'outbox notices are not heard');
    }
    await sleep(RECONNECT_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) {
      resolve();
    }
  });
