import type { ImapFlow, MailboxObject } from 'imapflow';
import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Transact, View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Database } from '#platform/database/database.ts';
import type { Logger } from '#platform/config/logger.ts';
import { readChannel, type ChannelSetup } from '../channels/channel.store.ts';
import { fetchMails } from './fetch-mails.ts';
import { accountOf, openImap, placeOf } from './open-imap.ts';
import { mailboxLost, openPosition, type LeaseHolder, type Mailbox } from './mailbox.store.ts';

/** How late a mail is found where no notice of it comes; servers without notices are asked sooner. */
const ASK_EVERY_MS = MINUTE_MS;
const ASK_WITHOUT_NOTICE_MS = 10_000;

export interface MailboxTools {
  readonly database: Pick<Database, 'rows'>;
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly transact: Transact;
  readonly clock: () => Date;
  readonly secrets: Secrets;
  /** CIDRs of private networks that sub-accounts may name all the same. */
  readonly outboundAllow: readonly string[];
  readonly log: Logger;
}

/** A mailbox while it is read. */
export interface MailboxSession {
  readonly mailbox: Mailbox;
  readonly holder: LeaseHolder;
  readonly setup: ChannelSetup;
  /** How often the server refused to hand out a mail, by UID. */
  readonly refused: Map<number, number>;
  /** Called whenever something was dealt with. */
  readonly onProgress: () => void;
  /** For the log. */
  readonly named: { readonly subAccountId: string; readonly host: string };
}

interface MailboxSessionOptions {
  readonly mailbox: Mailbox;
  readonly holder: LeaseHolder;
  readonly attempt: number;
  readonly refused: MailboxSession['refused'];
  readonly signal: AbortSignal;
  readonly onProgress: MailboxSession['onProgress'];
}

/**
 * Reads a mailbox for as long as its connection lasts. It changes nothing there: what a mail is to
 * people, seen or not, stays as it is. Ends when asked to, and rejects for whatever goes wrong.
 */
export async function runMailboxSession(
  tools: MailboxTools,
  attendance: MailboxSessionOptions,
): Promise<void> {
  const { mailbox, holder, attempt, refused, signal, onProgress } = attendance;
  const view = tools.openView(mailbox.subAccountId, tools.clock());
  const setup = await readChannel(view, tools.secrets, 'email');
  const account = setup && accountOf(setup);
  if (!setup || !account) {
    throw new Error('no mailbox, or no user for it, is set up');
  }
  const client = await openImap(account, { allow: tools.outboundAllow, attempt, signal });
  try {
    const opened = await client.mailboxOpen(account.mailbox, { readOnly: true });
    const numbering = { ...(await uidValidityOf(client, opened)), place: placeOf(account) };
    const position = await openPosition(tools.database, holder, mailbox, numbering);
    if (!position) {
      throw mailboxLost();
    }
    const named = { subAccountId: mailbox.subAccountId, host: account.host };
    const session = { mailbox, holder, setup, refused, onProgress, named };
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
  const bell = newWakeSignal();
  client.on('exists', bell.notify);
  client.on('close', bell.notify);
  const hasNotices = client.capabilities.has('IDLE');
  let position = from;
  while (!signal.aborted) {
    position = await fetch(position);
    if (hasNotices) {
      // Until the next command; that it ended early shows there too.
      void client.idle().catch(() => undefined);
    }
    await bell.wait(hasNotices ? ASK_EVERY_MS : ASK_WITHOUT_NOTICE_MS);
  }
}

/** What an opened mailbox says of its UIDs. */
export interface UidValidity {
  readonly uidValidity: bigint;
  /** Of the mail that comes next. */
  readonly uidNext: number;
}

/**
 * How the mails of an opened mailbox are numbered. A server need not tell the next number as it opens
 * the mailbox (RFC 3501, 7.1): then it is asked, and where it says nothing even so, that number is the
 * one behind its last mail.
 */
export async function uidValidityOf(
  client: ImapFlow,
  { path, exists, ...told }: Opened,
): Promise<UidValidity> {
  if (told.uidValidity === undefined) {
    throw new Error('the IMAP server gives its mails no lasting numbers (UIDVALIDITY)');
  }
  const asked = told.uidNext ? undefined : await client.status(path, { uidNext: true });
  const uidNext = told.uidNext || (asked && asked.uidNext) || (await behindLast(client, exists));
  return { uidValidity: told.uidValidity, uidNext };
}

/** As it is, and not as its type has it: nothing is there that the server did not tell. */
type Opened = Pick<MailboxObject, 'path' | 'exists'> &
  Partial<Pick<MailboxObject, 'uidValidity' | 'uidNext'>>;

async function behindLast(client: ImapFlow, exists: number): Promise<number> {
  if (exists === 0) {
    return 1;
  }
  const last = (await client.search({ uid: '*' }, { uid: true })) || [];
  if (last.length === 0) {
    throw new Error('the IMAP server does not tell the number of its last mail');
  }
  return Math.max(...last) + 1;
}
