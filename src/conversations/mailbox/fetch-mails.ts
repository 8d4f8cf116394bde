import type { FetchMessageObject, ImapFlow, ImapFlowError } from 'imapflow';
import {
  advance,
  mailboxLost,
  type LeaseHolder,
  type Mailbox,
  type Position,
} from './mailbox.store.ts';
import { MAIL_MAX_BYTES } from './open-imap.ts';
import { sleep } from '#lib/abort.ts';
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Actor, Transact, View } from '#core/work.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Database } from '#platform/database/database.ts';
import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { isLeaseLost } from '#platform/database/lease.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { ingest } from '../inbound/ingest.ts';
import { explainMail } from './parse-mail.ts';

export interface MailboxTools {
  readonly database: Pick<Database, 'rows'>;
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly transact: Transact;
  readonly clock: () => Date;
  readonly secrets: Secrets;
  /** CIDRs of private networks that sub-accounts may use. */
  readonly outboundAllow: readonly string[];
  readonly log: Logger;
}

/** An open mailbox. */
export interface MailboxSession {
  readonly mailbox: Mailbox;
  readonly holder: LeaseHolder;
  readonly setup: ChannelSetup;
  /** How often the server refused to send a mail, by UID. */
  readonly refused: Map<number, number>;
  /** Called after each handled mail. */
  readonly onProgress: () => void;
  /** Members of log lines. */
  readonly logFields: { readonly subAccountId: string; readonly host: string };
}

/** Mails whose sizes are requested at once. */
const BATCH = 100;
/** A mail is skipped after this many refusals. */
const REFUSALS_MAX = 3;

/** Ingests new mails after the position, oldest first, and returns the new position. */
export async function fetchMails(
  tools: MailboxTools,
  session: MailboxSession,
  client: ImapFlow,
  position: Position,
): Promise<Position> {
  let { lastUid } = position;
  for (;;) {
    const uids = await newUids(client, lastUid);
    if (uids.length === 0) {
      session.onProgress();
      return { ...position, lastUid };
    }
    for (let at = 0; at < uids.length; at += BATCH) {
      const batch = uids.slice(at, at + BATCH);
      await fetchBatch(tools, session, client, position, batch);
      lastUid = batch.at(-1) ?? lastUid;
    }
  }
}

async function fetchBatch(
  tools: MailboxTools,
  session: MailboxSession,
  client: ImapFlow,
  position: Position,
  uids: readonly number[],
): Promise<void> {
  const found = await client.fetchAll(uids.join(','), ABOUT, { uid: true });
  refuseClosed(client);
  const details = new Map(found.map((one) => [one.uid, one]));
  for (const uid of uids) {
    const mail = details.get(uid);
    // Skipped mails advance the position once per batch: there may be many.
    if (isNew(mail, position)) {
      await fetchMail(tools, session, client, mail);
      session.onProgress();
    } else if (uid === uids.at(-1)) {
      await skipMail(tools, session, uid);
    }
  }
}

const ABOUT = { uid: true, size: true, internalDate: true };

async function newUids(client: ImapFlow, lastUid: number): Promise<number[]> {
  // Some servers report new mails only after a NOOP.
  await client.noop();
  refuseClosed(client);
  if (client.mailbox && client.mailbox.exists === 0) {
    return [];
  }
  const found = await client.search({ uid: `${lastUid + 1}:*` }, { uid: true });
  // `*` is the last mail, even if its UID is smaller.
  return (found || []).filter((uid) => uid > lastUid).toSorted((a, b) => a - b);
}

function isNew(
  mail: FetchMessageObject | undefined,
  { historyUid, since }: Position,
): mail is FetchMessageObject {
  return mail !== undefined && (mail.uid > historyUid || new Date(mail.internalDate ?? 0) >= since);
}

async function fetchMail(
  tools: MailboxTools,
  session: MailboxSession,
  client: ImapFlow,
  { uid, size = 0 }: FetchMessageObject,
): Promise<void> {
  if (size > MAIL_MAX_BYTES) {
    tools.log.warn(
      { ...session.logFields, uid, bytes: size },
      'mail skipped: it is larger than 25 MiB',
    );
    return skipMail(tools, session, uid);
  }
  const raw = await rawOf(tools, session, client, uid);
  return raw ? ingestMail(tools, session, uid, raw) : skipMail(tools, session, uid);
}

/** Returns undefined if the mail is gone, or if the server refuses to send it. */
async function rawOf(
  { log }: MailboxTools,
  { logFields, refused }: MailboxSession,
  client: ImapFlow,
  uid: number,
): Promise<Buffer | undefined> {
  try {
    const mail = await client.fetchOne(String(uid), { source: true }, { uid: true });
    refuseClosed(client);
    return mail ? mail.source : undefined;
  } catch (error) {
    const times = (refused.get(uid) ?? 0) + 1;
    refused.set(uid, times);
    if (!isRefusal(error) || times < REFUSALS_MAX) {
      throw error;
    }
    log.error(
      { ...logFields, uid, err: error },
      'mail skipped: the IMAP server refuses to send it',
    );
    return undefined;
  }
}

const isRefusal = (error: unknown): boolean =>
  ['NO', 'BAD'].includes((error as ImapFlowError).responseStatus ?? '');

/** Throws if the connection is closed: its mailbox would look empty. */
function refuseClosed(client: ImapFlow): void {
  if (!client.usable || !client.mailbox) {
    throw new Error('the IMAP server closed the connection');
  }
}

const TRIES = 5;
const TRY_AGAIN_MS = 300;

/**
 * Ingests a mail and advances the position in the same transaction. A mail that cannot be parsed, or that
 * fails repeatedly, is logged and skipped: others wait behind it.
 */
async function ingestMail(
  tools: MailboxTools,
  session: MailboxSession,
  uid: number,
  raw: Buffer,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ingestOnce(tools, session, uid, raw);
    } catch (error) {
      if (isLeaseLost(error) || isDatabaseAway(error)) {
        throw error;
      }
      if (tried === TRIES || isUnreadable(error)) {
        tools.log.error(
          { ...session.logFields, uid, err: error },
          'mail skipped: it could not be stored',
        );
        return skipMail(tools, session, uid);
      }
      await sleep(TRY_AGAIN_MS * tried);
    }
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'VALIDATION_ERROR';

async function ingestOnce(
  { transact, log }: MailboxTools,
  { mailbox, holder, setup, logFields }: MailboxSession,
  uid: number,
  raw: Buffer,
): Promise<void> {
  const { ignored, ...content } = await explainMail(raw, setup);
  if (ignored !== undefined) {
    log.info(
      { ...logFields, uid, why: ignored },
      'mail ignored: it is not a message from a person',
    );
  }
  await transact(mailbox.subAccountId, actorOf(setup), async (work) => {
    if (!(await advance(work, holder, mailbox, uid))) {
      throw mailboxLost();
    }
    await ingest(work, 'email', content);
  });
}

const actorOf = ({ provider }: ChannelSetup): Actor => ({
  kind: 'provider',
  name: `${provider}/email`,
  requestId: crypto.randomUUID(),
  operation: 'mailbox',
});

/** Advances the position past a mail. */
async function skipMail(
  { database }: MailboxTools,
  { mailbox, holder }: MailboxSession,
  uid: number,
): Promise<void> {
  if (!(await advance(database, holder, mailbox, uid))) {
    throw mailboxLost();
  }
}
