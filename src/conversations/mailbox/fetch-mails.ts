import type { FetchMessageObject, ImapFlow, ImapFlowError } from 'imapflow';
import type { MailboxSession, MailboxTools } from './mailbox-session.ts';
import { advance, mailboxLost, type Position } from './mailbox.store.ts';
import { MAIL_MAX_BYTES } from './open-imap.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#core/fault.ts';
import type { Actor } from '#core/work.ts';
import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { isLeaseLost } from '#platform/database/lease.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { ingest } from '../inbound/ingest.ts';
import { explainMail } from './parse-mail.ts';

/** Mails whose size is asked for at once. */
const BATCH = 100;
/** So often a server may refuse a mail before the others go on without it. */
const REFUSALS_MAX = 3;

/** Takes in what is new behind the position, oldest first, and answers the new position. */
export async function fetchMails(
  tools: MailboxTools,
  attended: MailboxSession,
  client: ImapFlow,
  position: Position,
): Promise<Position> {
  let { lastUid } = position;
  for (;;) {
    const uids = await newUids(client, lastUid);
    if (uids.length === 0) {
      attended.onProgress();
      return { ...position, lastUid };
    }
    for (let at = 0; at < uids.length; at += BATCH) {
      const batch = uids.slice(at, at + BATCH);
      await fetchBatch(tools, attended, client, position, batch);
      lastUid = batch.at(-1) ?? lastUid;
    }
  }
}

async function fetchBatch(
  tools: MailboxTools,
  attended: MailboxSession,
  client: ImapFlow,
  position: Position,
  uids: readonly number[],
): Promise<void> {
  const found = await client.fetchAll(uids.join(','), ABOUT, { uid: true });
  refuseClosed(client);
  const about = new Map(found.map((one) => [one.uid, one]));
  for (const uid of uids) {
    const mail = about.get(uid);
    // Of what is gone, or history, the end is written down and not each: it may be long.
    if (isWanted(mail, position)) {
      await fetchMail(tools, attended, client, mail);
      attended.onProgress();
    } else if (uid === uids.at(-1)) {
      await leaveOut(tools, attended, uid);
    }
  }
}

const ABOUT = { uid: true, size: true, internalDate: true };

async function newUids(client: ImapFlow, lastUid: number): Promise<number[]> {
  // Some servers tell of new mails only when they are asked for nothing.
  await client.noop();
  refuseClosed(client);
  if (client.mailbox && client.mailbox.exists === 0) {
    return [];
  }
  const found = await client.search({ uid: `${lastUid + 1}:*` }, { uid: true });
  // `*` is the last mail there is, also when that is an older one.
  return (found || []).filter((uid) => uid > lastUid).toSorted((a, b) => a - b);
}

function isWanted(
  mail: FetchMessageObject | undefined,
  { historyUid, since }: Position,
): mail is FetchMessageObject {
  return mail !== undefined && (mail.uid > historyUid || new Date(mail.internalDate ?? 0) >= since);
}

async function fetchMail(
  tools: MailboxTools,
  attended: MailboxSession,
  client: ImapFlow,
  { uid, size = 0 }: FetchMessageObject,
): Promise<void> {
  if (size > MAIL_MAX_BYTES) {
    tools.log.warn({ ...attended.named, uid, bytes: size }, 'a mail over 25 MiB was left out');
    return leaveOut(tools, attended, uid);
  }
  const raw = await rawOf(tools, attended, client, uid);
  return raw ? ingestMail(tools, attended, uid, raw) : leaveOut(tools, attended, uid);
}

/** Undefined where it is gone, or where its server will never hand it out. */
async function rawOf(
  { log }: MailboxTools,
  { named, refused }: MailboxSession,
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
      { ...named, uid, err: error },
      'a mail that its server does not hand out was left out',
    );
    return undefined;
  }
}

const isRefusal = (error: unknown): boolean =>
  ['NO', 'BAD'].includes((error as ImapFlowError).responseStatus ?? '');

/** A connection that is gone answers as if there were no mails. */
function refuseClosed(client: ImapFlow): void {
  if (!client.usable || !client.mailbox) {
    throw new Error('the IMAP server ended the connection');
  }
}

const TRIES = 5;
const TRY_AGAIN_MS = 300;

/**
 * Takes in a mail and says in the same transaction that it is dealt with. One that nobody can read,
 * or that fails again and again, is left out and named in the log: others wait behind it.
 */
export async function ingestMail(
  tools: MailboxTools,
  attended: MailboxSession,
  uid: number,
  raw: Buffer,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await takeOnce(tools, attended, uid, raw);
    } catch (error) {
      if (isLeaseLost(error) || isDatabaseAway(error)) {
        throw error;
      }
      if (tried === TRIES || isUnreadable(error)) {
        tools.log.error({ ...attended.named, uid, err: error }, 'a mail was left out');
        return leaveOut(tools, attended, uid);
      }
      await sleep(TRY_AGAIN_MS * tried);
    }
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'VALIDATION_ERROR';

async function takeOnce(
  { transact, log }: MailboxTools,
  { mailbox, holder, setup, named }: MailboxSession,
  uid: number,
  raw: Buffer,
): Promise<void> {
  const { ignored, ...told } = await explainMail(raw, setup);
  if (ignored !== undefined) {
    log.info({ ...named, uid, why: ignored }, 'a mail is no message');
  }
  await transact(mailbox.subAccountId, actorOf(setup), async (work) => {
    if (!(await advance(work, holder, mailbox, uid))) {
      throw mailboxLost();
    }
    await ingest(work, 'email', told);
  });
}

const actorOf = ({ provider }: ChannelSetup): Actor => ({
  kind: 'provider',
  name: `${provider}/email`,
  requestId: crypto.randomUUID(),
  operation: 'mailbox',
});

/** Goes on behind the mail, whatever it is. */
export async function leaveOut(
  { database }: MailboxTools,
  { mailbox, holder }: MailboxSession,
  uid: number,
): Promise<void> {
  if (!(await advance(database, holder, mailbox, uid))) {
    throw mailboxLost();
  }
}
