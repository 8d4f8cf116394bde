import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Changes } from '#platform/notify/changes.ts';
import type { MailboxTools } from './mailbox-session.ts';
import {
  acquireLeases,
  mailboxLease,
  releaseLeases,
  type LeaseHolder,
  type Mailbox,
} from './mailbox-leases.ts';
import { superviseMailbox, type Watch } from './supervise-mailbox.ts';

interface Options extends MailboxTools {
  readonly changes: Pick<Changes, 'onChange'>;
  /** How late a changed channel is noticed where no notice comes. */
  readonly pollIntervalMs: number;
}

/**
 * Fetches the mails of every email channel that names a mailbox, for as long as the process lives.
 * Any number of processes may: one of them reads a mailbox, and another goes on when it is gone.
 */
export function superviseMailboxes(options: Options): { stop(): Promise<void> } {
  const { database, changes, log, pollIntervalMs } = options;
  const holder = crypto.randomUUID();
  const watched = new Map<string, Watch>();
  const bell = newWakeSignal();
  const stopping = new AbortController();
  for (const table of ['channels', 'sub_accounts']) {
    changes.onChange(table, bell.notify);
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        follow(options, holder, watched, await acquireLeases(database, holder));
      } catch (error) {
        log.warn({ err: error }, 'mailboxes not looked for; trying again');
      }
      await bell.wait(Math.min(pollIntervalMs, mailboxLease.renewEveryMs));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      bell.notify();
      await watching;
      await Promise.all([...watched.values()].map((watch) => watch.stop()));
      await releaseLeases(database, holder).catch(() => undefined);
    },
  };
}

/** Watches those that are ours as they are set up now, and no others. Waits for nothing: turns end. */
function follow(
  tools: MailboxTools,
  holder: LeaseHolder,
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
      watched.set(id, superviseMailbox(tools, holder, mailbox, watch?.stop()));
    }
  }
}
