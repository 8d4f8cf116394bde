import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Notifications } from '#core/tools.ts';
import { fetchMails } from './fetch-mails.ts';
import type { MailboxSession, MailboxTools } from './mailbox-session.ts';
import {
  acquireLeases,
  mailboxLease,
  releaseLeases,
  type LeaseHolder,
  type Mailbox,
  type UidValidity,
  mailboxLost,
  openPosition,
} from './mailbox.store.ts';
import { sleep } from '#lib/abort.ts';
import { isLeaseLost } from '#platform/database/lease.ts';
import type { ImapFlow, MailboxObject } from 'imapflow';
import { MINUTE_MS } from '#lib/duration.ts';
import { readChannel } from '../channels/channel.store.ts';
import { throttle } from './throttle.ts';
import { accountOf, openImap, placeOf, reasonOf } from './open-imap.ts';

interface MailboxSupervisorOptions extends MailboxTools {
  readonly changes: Notifications;
  /** How late a changed channel is noticed without a notification. */
  readonly pollIntervalMs: number;
}

/**
 * Fetches the mails of every email channel with a mailbox, until it is stopped. Any number of processes
 * may do this: one of them reads a mailbox, and another takes over when it ends.
 */
export function superviseMailboxes(options: MailboxSupervisorOptions): { stop(): Promise<void> } {
  const { database, changes, log, pollIntervalMs } = options;
  const holder = crypto.randomUUID();
  const watched = new Map<string, Watch>();
  const wake = newWakeSignal();
  const stopping = new AbortController();
  for (const table of ['channels', 'sub_accounts']) {
    changes.watch(table, wake.notify);
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        matchWatches(options, holder, watched, await acquireLeases(database, holder));
      } catch (error) {
        log.warn({ err: error }, 'could not look for mailboxes; trying again');
      }
      await wake.wait(Math.min(pollIntervalMs, mailboxLease.renewEveryMs));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      wake.notify();
      await watching;
      await Promise.all([...watched.values()].map((watch) => watch.stop()));
      await releaseLeases(database, holder).catch(() => undefined);
    },
  };
}

/** Starts, restarts and stops watches so that they match the leases. Does not wait for their end. */
function matchWatches(
  tools: MailboxTools,
  holder: LeaseHolder,
  watched: Map<string, Watch>,
  ours: readonly Mailbox[],
): void {
  const wanted = new Map(ours.map((mailbox) => [mailbox.id, mailbox]));
  for (const [id, watch] of watched) {
    if (!wanted.has(id)) {
      // Kept until it has ended: it may be started again, and `stop` waits for it.
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

const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 120_000;
/** Servers lock out clients that repeat a wrong password. */
const WAIT_FOR_SETUP_MS = 300_000;

interface Watch {
  readonly version: string;
  readonly isStopping: boolean;
  stop(): Promise<void>;
}

/**
 * Reads a mailbox until it is stopped, with a new connection after every failure. Starts when the
 * previous watch of it has ended.
 */
function superviseMailbox(
  tools: MailboxTools,
  holder: LeaseHolder,
  mailbox: Mailbox,
  previous: Promise<void> | undefined,
): Watch {
  const stopping = new AbortController();
  const watching = (async () => {
    await previous;
    await keepSessions(tools, holder, mailbox, stopping.signal);
  })();
  return {
    version: mailbox.version,
    get isStopping() {
      return stopping.signal.aborted;
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

async function keepSessions(
  tools: MailboxTools,
  holder: LeaseHolder,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<void> {
  let attempt = 1;
  const refused = new Map<number, number>();
  const onProgress = () => {
    attempt = 1;
  };
  while (!signal.aborted) {
    try {
      await runMailboxSession(tools, { mailbox, holder, attempt, refused, signal, onProgress });
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      const waitMs = waitAfter(error as ImapError, attempt);
      report(tools, mailbox, error as ImapError, waitMs);
      attempt += 1;
      await sleep(waitMs, signal);
    }
  }
}

interface ImapError extends Error {
  readonly authenticationFailed?: boolean;
  readonly mailboxMissing?: boolean;
}

export function waitAfter(error: Partial<ImapError>, attempt: number): number {
  return error.authenticationFailed || error.mailboxMissing
    ? WAIT_FOR_SETUP_MS
    : Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10));
}

function report({ log }: MailboxTools, mailbox: Mailbox, error: ImapError, waitMs: number): void {
  const { authenticationFailed, mailboxMissing } = error;
  const about = { subAccountId: mailbox.subAccountId, why: reasonOf(error), waitMs };
  if (isLeaseLost(error)) {
    log.info(about, 'another worker reads the mailbox');
  } else if (authenticationFailed) {
    log.warn(about, 'the IMAP server refuses the user or the password of the email channel');
  } else if (mailboxMissing) {
    log.warn(about, 'the IMAP server has no such mailbox');
  } else {
    log.warn(about, 'could not fetch mails; trying again');
  }
}

/** Poll interval with IDLE, in case a notification is lost; without IDLE it is shorter. */
const POLL_MS = MINUTE_MS;
const POLL_WITHOUT_IDLE_MS = 10_000;

interface MailboxSessionOptions {
  readonly mailbox: Mailbox;
  readonly holder: LeaseHolder;
  readonly attempt: number;
  readonly refused: MailboxSession['refused'];
  readonly signal: AbortSignal;
  readonly onProgress: MailboxSession['onProgress'];
}

/**
 * Reads a mailbox until its connection or the signal ends. It is opened read-only, so that mails stay
 * unread. Rejects for every failure.
 */
async function runMailboxSession(
  tools: MailboxTools,
  options: MailboxSessionOptions,
): Promise<void> {
  const { mailbox, holder, attempt, refused, signal, onProgress } = options;
  const view = tools.openView(mailbox.subAccountId, tools.clock());
  const setup = await readChannel(view, tools.secrets, 'email');
  const account = setup && accountOf(setup);
  if (!setup || !account) {
    throw new Error('the email channel has no mailbox, or no user for it');
  }
  const client = await openImap(account, { allow: tools.outboundAllow, attempt, signal });
  try {
    const opened = await client.mailboxOpen(account.mailbox, { readOnly: true });
    const uidState = { ...(await uidValidityOf(client, opened)), place: placeOf(account) };
    const position = await openPosition(tools.database, holder, mailbox, uidState);
    if (!position) {
      throw mailboxLost();
    }
    const logFields = { subAccountId: mailbox.subAccountId, host: account.host };
    const session = { mailbox, holder, setup, refused, onProgress, logFields };
    await keepFetching(client, signal, position, (from) =>
      fetchMails(tools, session, client, from),
    );
  } finally {
    client.close();
    await throttle(client);
  }
}

async function keepFetching<P>(
  client: ImapFlow,
  signal: AbortSignal,
  from: P,
  fetch: (from: P) => Promise<P>,
): Promise<void> {
  const wake = newWakeSignal();
  client.on('exists', wake.notify);
  client.on('close', wake.notify);
  const hasIdle = client.capabilities.has('IDLE');
  let position = from;
  while (!signal.aborted) {
    position = await fetch(position);
    if (hasIdle) {
      // IDLE ends with the next command, which also finds out if it ended early.
      void client.idle().catch(() => undefined);
    }
    await wake.wait(hasIdle ? POLL_MS : POLL_WITHOUT_IDLE_MS);
  }
}

/**
 * Returns the UID state of an opened mailbox. A server may leave out UIDNEXT when it opens a mailbox
 * (RFC 3501, 7.1): then STATUS is tried, and after that the UID of the last mail.
 */
async function uidValidityOf(
  client: ImapFlow,
  { path, exists, ...opened }: Opened,
): Promise<UidValidity> {
  if (opened.uidValidity === undefined) {
    throw new Error('the IMAP server sends no UIDVALIDITY');
  }
  const status = opened.uidNext ? undefined : await client.status(path, { uidNext: true });
  const uidNext = opened.uidNext || (status && status.uidNext) || (await afterLast(client, exists));
  return { uidValidity: opened.uidValidity, uidNext };
}

/** Unlike the library's type: members that the server did not send are missing. */
type Opened = Pick<MailboxObject, 'path' | 'exists'> &
  Partial<Pick<MailboxObject, 'uidValidity' | 'uidNext'>>;

async function afterLast(client: ImapFlow, exists: number): Promise<number> {
  if (exists === 0) {
    return 1;
  }
  const last = (await client.search({ uid: '*' }, { uid: true })) || [];
  if (last.length === 0) {
    throw new Error('the IMAP server does not return the UID of its last mail');
  }
  return Math.max(...last) + 1;
}
