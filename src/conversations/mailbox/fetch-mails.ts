import type { FetchMessageObject, ImapFlow, ImapFlowError } from 'imapflow';
import { beginMail, mailboxLost, type Position } from './mailbox.store.ts';
import { collectBytes } from '#lib/collect-bytes.ts';
import { discount, expectContent, throttle } from './throttle.ts';
import { MAIL_MAX_BYTES, PIECE_BYTES, UIDS_AT_ONCE } from './open-imap.ts';
import { giveUpMail, ingestMail, skipMail } from './ingest-mail.ts';
import type { MailboxSession, MailboxTools } from './mailbox-session.ts';

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
  await throttle(client);
  const details = new Map(found.map((one) => [one.uid, one]));
  for (const uid of uids) {
    const mail = details.get(uid);
    // Skipped mails advance the position once per batch: there may be many.
    if (isNew(mail, position)) {
      await beginAndFetch(tools, session, client, mail);
      session.onProgress();
    } else if (uid === uids.at(-1)) {
      await skipMail(tools, session, uid);
    }
  }
}

const ABOUT = { uid: true, size: true, internalDate: true };

async function newUids(client: ImapFlow, lastUid: number): Promise<number[]> {
  await throttle(client);
  // Some servers report new mails only after a NOOP.
  await client.noop();
  refuseClosed(client);
  const exists = client.mailbox ? client.mailbox.exists : 0;
  if (exists <= UIDS_AT_ONCE) {
    return exists === 0 ? [] : searchUids(client, lastUid, '*');
  }
  const near = await searchUids(client, lastUid, lastUid + UIDS_AT_ONCE);
  if (near.length > 0) {
    return near;
  }
  const first = await uidAfter(client, lastUid, exists);
  return first === undefined ? [] : searchUids(client, first - 1, first - 1 + UIDS_AT_ONCE);
}

const UID_MAX = 2 ** 32 - 1;

/** Returns the UIDs after one, up to another, in their order. */
async function searchUids(client: ImapFlow, after: number, to: number | '*'): Promise<number[]> {
  const from = Math.min(after + 1, UID_MAX);
  const last = to === '*' ? to : Math.min(to, UID_MAX);
  const found = await client.search({ uid: `${from}:${last}` }, { uid: true });
  // `*` is the last mail, even if its UID is smaller.
  return (found || []).filter((uid) => uid > after).toSorted((a, b) => a - b);
}

/** Returns the first UID after one, by bisection: there may be a large gap between them. */
async function uidAfter(
  client: ImapFlow,
  lastUid: number,
  exists: number,
): Promise<number | undefined> {
  let first: number | undefined;
  for (let low = 1, high = exists, at = exists; low <= high; at = (low + high) >> 1) {
    await throttle(client);
    const mail = await client.fetchOne(String(at), { uid: true });
    refuseClosed(client);
    if (mail && mail.uid > lastUid) {
      first = mail.uid;
      high = at - 1;
    } else {
      low = at + 1;
    }
  }
  return first;
}

function isNew(
  mail: FetchMessageObject | undefined,
  { historyUid, since }: Position,
): mail is FetchMessageObject {
  return mail !== undefined && (mail.uid > historyUid || new Date(mail.internalDate ?? 0) >= since);
}

/** After as many workers that ended in the middle of one mail, only its first headers are read. */
const STARTS_MAX = 3;

/** The start is recorded, so that a mail that ends its worker again and again is passed over. */
async function beginAndFetch(
  tools: MailboxTools,
  session: MailboxSession,
  client: ImapFlow,
  mail: FetchMessageObject,
): Promise<void> {
  const { mailbox, holder, logFields } = session;
  const starts = await beginMail(tools.database, holder, mailbox, mail.uid);
  if (starts === undefined) {
    throw mailboxLost();
  }
  const { uid, size = 0 } = mail;
  const fields = { ...logFields, uid, starts: starts - 1 };
  if (starts > STARTS_MAX + 1) {
    tools.log.error(fields, 'mail skipped: the worker ended each time it read this mail');
    return giveUpMail(tools, session, uid);
  }
  const isOutline = starts > STARTS_MAX;
  if (isOutline) {
    // The workers may have been killed from outside: the mail is not lost for that.
    tools.log.error(
      fields,
      'mail kept without its content: the worker ended while it read this mail',
    );
  }
  return fetchMail(tools, session, client, { uid, size, isOutline });
}

async function fetchMail(
  tools: MailboxTools,
  session: MailboxSession,
  client: ImapFlow,
  mail: ExpectedMail,
): Promise<void> {
  const { uid, size, isOutline } = mail;
  if (size > MAIL_MAX_BYTES) {
    tools.log.warn(
      { ...session.logFields, uid, bytes: size },
      'mail skipped: it is larger than 25 MiB',
    );
    return giveUpMail(tools, session, uid);
  }
  const raw = await rawOf(tools, session, client, mail);
  if (raw === REFUSED) {
    return giveUpMail(tools, session, uid);
  }
  return raw ? ingestMail(tools, session, { uid, raw, isOutline }) : skipMail(tools, session, uid);
}

const REFUSED = Symbol('refused');

interface ExpectedMail {
  readonly uid: number;
  /** As the server reports it. */
  readonly size: number;
  /** Only its first piece is fetched, and only the headers of that are read. */
  readonly isOutline: boolean;
}

/** Returns undefined if the mail is gone. */
async function rawOf(
  { log }: MailboxTools,
  { logFields, refused }: MailboxSession,
  client: ImapFlow,
  mail: ExpectedMail,
): Promise<Buffer | typeof REFUSED | undefined> {
  const { uid } = mail;
  try {
    return await fetchPieces(client, mail);
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
    return REFUSED;
  }
}

/** In pieces, so that no response is large: the library reads each at once. */
async function fetchPieces(
  client: ImapFlow,
  { uid, size, isOutline }: ExpectedMail,
): Promise<Buffer | undefined> {
  const collected = collectBytes();
  for (;;) {
    const wanted = { start: collected.size, maxLength: PIECE_BYTES };
    await throttle(client);
    expectContent(client, PIECE_BYTES);
    const mail = await client.fetchOne(String(uid), { source: wanted }, { uid: true });
    refuseClosed(client);
    const piece = mail ? mail.source : undefined;
    if (piece === undefined && collected.size === 0) {
      return undefined;
    }
    collected.add(piece ?? Buffer.alloc(0));
    discount(client, piece?.length ?? 0);
    // Servers report sizes inexactly: the end is an empty piece, or a short one at the size.
    const isLast = !piece?.length || (piece.length < PIECE_BYTES && collected.size >= size);
    if (isLast || isOutline || collected.size > 2 * MAIL_MAX_BYTES) {
      return collected.bytes();
    }
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
