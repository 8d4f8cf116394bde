import { newBell } from '#kit/bell.ts';
import type { Changes } from '#platform/changes.ts';
import type { MailboxTools } from './attend-mailbox.ts';
import {
  giveTurnsBack,
  RENEW_EVERY_MS,
  takeTurns,
  type Holder,
  type Mailbox,
} from './mailbox-turns.ts';
import { watchMailbox, type Watch } from './watch-mailbox.ts';

interface Options extends MailboxTools {
  readonly changes: Pick<Changes, 'onChange'>;
  /** How late a changed channel is noticed where no notice comes. */
  readonly pollIntervalMs: number;
}

/**
 * Fetches the mails of every email channel that names a mailbox, for as long as the process lives.
 * Any number of processes may: one of them reads a mailbox, and another goes on when it is gone.
 */
export function watchMailboxes(options: Options): { stop(): Promise<void> } {
  const { database, changes, log, pollIntervalMs } = options;
  const holder = crypto.randomUUID();
  const watched = new Map<string, Watch>();
  const bell = newBell();
  const stopping = new AbortController();
  for (const table of ['channels', 'sub_accounts']) {
    changes.onChange(table, bell.ring);
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        follow(options, holder, watched, await takeTurns(database, holder));
      } catch (error) {
        log.warn({ err: error }, 'mailboxes not looked for; trying again');
      }
      await bell.heard(Math.min(pollIntervalMs, RENEW_EVERY_MS));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      bell.ring();
      await watching;
      await Promise.all([...watched.values()].map((watch) => watch.stop()));
      await giveTurnsBack(database, holder).catch(() => undefined);
    },
  };
}

/** Watches those that are ours as they are set up now, and no others. Waits for nothing: turns end. */
function follow(
  tools: MailboxTools,
  holder: Holder,
  watched: Map<string, Watch>,
  ours: readonly Mailbox[],
): void {
  const wanted = new Map(ours.map((mailbox) => [mailbox.id, mailbox]));
  for (const [id, watch] of watched) {
    if (!wanted.has(id)) {
      // Kept until it has ended, in case it is wanted again or everything stops.
      void watch.stop().then(() => watched.get(id) === watch && watched.delete(id));
    }
  }
  for (const [id, mailbox] of wanted) {
    const watch = watched.get(id);
    if (watch?.version !== mailbox.version || watch.isStopping) {
      watched.set(id, watchMailbox(tools, holder, mailbox, watch?.stop()));
    }
  }
}
