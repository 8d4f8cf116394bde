import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';

/** Publishers listen here. */
export const OUTBOX_CHANNEL = 'frontdesk_outbox';

/** One notice for all that is committed meanwhile: a notice takes a lock on every commit's way. */
const REST_MS = 25;

export interface OutboxNotifier {
  /** Says that the outbox holds something; returns at once. */
  notify(): void;
  /** Waits for what was rung to be sent. */
  close(): Promise<void>;
}

/**
 * Wakes the publisher without a notice per change: the first goes out at once, those that follow
 * shortly after share one. One that is lost costs a poll interval.
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
