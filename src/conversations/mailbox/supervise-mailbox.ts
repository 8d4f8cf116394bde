import { isLeaseLost } from '#platform/database/lease.ts';
import { sleep } from '#lib/abort.ts';
import { runMailboxSession, type MailboxTools } from './mailbox-session.ts';
import type { LeaseHolder, Mailbox } from './mailbox-leases.ts';

const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 120_000;
/** Nobody corrects a password in a minute, and servers lock out who guesses. */
const WAIT_FOR_SETUP_MS = 300_000;

export interface Watch {
  readonly version: string;
  readonly isStopping: boolean;
  stop(): Promise<void>;
}

/**
 * Reads a mailbox until it is stopped, over as many connections as that takes. Begins once another
 * watch of it has ended.
 */
export function superviseMailbox(
  tools: MailboxTools,
  holder: LeaseHolder,
  mailbox: Mailbox,
  other: Promise<void> | undefined,
): Watch {
  const stopping = new AbortController();
  const watching = (async () => {
    await other;
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
  readonly responseText?: string;
}

export function waitAfter(error: Partial<ImapError>, attempt: number): number {
  return error.authenticationFailed || error.mailboxMissing
    ? WAIT_FOR_SETUP_MS
    : Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10));
}

function report({ log }: MailboxTools, mailbox: Mailbox, error: ImapError, waitMs: number): void {
  const { authenticationFailed, mailboxMissing, message, responseText } = error;
  const about = { subAccountId: mailbox.subAccountId, why: responseText ?? message, waitMs };
  if (isLeaseLost(error)) {
    log.info(about, 'another worker reads the mailbox');
  } else if (authenticationFailed) {
    log.warn(about, 'the IMAP server refuses the user or the password of the email channel');
  } else if (mailboxMissing) {
    log.warn(about, 'the IMAP server has no such mailbox');
  } else {
    log.warn(about, 'mails are not fetched; trying again');
  }
}
