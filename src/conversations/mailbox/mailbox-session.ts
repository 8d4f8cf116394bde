import {
  type UidValidity,
  mailboxLost,
  openPosition,
  type LeaseHolder,
  type Mailbox,
} from './mailbox.store.ts';
import type { ImapFlow, MailboxObject } from 'imapflow';
import { newWakeSignal } from '#lib/wake-signal.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { readChannel } from '../channels/channel.store.ts';
import { fetchMails, type MailboxSession, type MailboxTools } from './fetch-mails.ts';
import { accountOf, openImap, placeOf } from './open-imap.ts';

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
export async function runMailboxSession(
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
