import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';

/** The channel that publishers listen on. */
export const OUTBOX_CHANNEL = 'frontdesk_outbox';

/** A payload has less than 8,000 bytes. */
const NAMED_MAX = 200;

/** The payload of a notice: the ids of sub-accounts, or nothing if they are too many. */
const payloadOf = (ids: readonly string[]): string => (ids.length > NAMED_MAX ? '' : ids.join(','));

/** Returns the sub-accounts that a notice names. */
export const idsIn = (payload: string): string[] => payload.split(',').filter((id) => id !== '');

/** Changes within this time share a notice: NOTIFY takes a lock that delays every commit. */
const REST_MS = 25;

export interface OutboxNotifier {
  /** Notifies publishers that the outbox has events of a sub-account; returns at once. */
  notify(subAccountId: string): void;
  /** Waits until pending notices are sent. */
  close(): Promise<void>;
}

/**
 * Wakes publishers without a notice per change: the first notice is sent at once, changes shortly after
 * share the next. A lost notice delays events by a poll interval.
 */
export function openOutboxNotifier(database: Pick<Database, 'rows'>, log: Logger): OutboxNotifier {
  let notifying: Promise<void> | undefined;
  const waiting = new Set<string>();
  let closing = false;

  const send = async () => {
    const ids = [...waiting];
    waiting.clear();
    try {
      await database.rows('select pg_notify($1, $2)', [OUTBOX_CHANNEL, payloadOf(ids)]);
    } catch (error) {
      log.debug({ err: error }, 'outbox notice not sent');
    }
  };
  const notifyUntilQuiet = async () => {
    do {
      await send();
      if (!closing) {
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
      }
    } while (waiting.size > 0);
    notifying = undefined;
  };
  return {
    notify(subAccountId) {
      waiting.add(subAccountId);
      notifying ??= notifyUntilQuiet();
    },
    async close() {
      closing = true;
      await notifying;
    },
  };
}
