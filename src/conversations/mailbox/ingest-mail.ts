import { sleep } from '#lib/abort.ts';
import { Fault } from '#core/fault.ts';
import type { Actor } from '#core/work.ts';
import { isDatabaseAway, isOutOfMemory } from '#platform/database/database-errors.ts';
import { isLeaseLost } from '#platform/database/lease.ts';
import { ThreadOverrun } from '#platform/process/guarded-thread.ts';
import type { StoreContext } from '../../files/store-file.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { ingest, withRefusedFiles, withStoredFiles } from '../inbound/ingest.ts';
import type { MailboxSession, MailboxTools } from './mailbox-session.ts';
import { advance, giveUp, mailboxLost } from './mailbox.store.ts';
import { explainOutline, explainSafely } from './parse-safely.ts';

const TRIES = 5;
/** After as many attempts that took too long, only the headers of a mail are read. */
const OVERRUNS_MAX = 3;
const TRY_AGAIN_MS = 300;

interface FetchedMail {
  readonly uid: number;
  readonly raw: Buffer;
  /** Only its headers are read. */
  readonly isOutline: boolean;
}

/**
 * Ingests a mail and advances the position in the same transaction. A mail that cannot be parsed, or that
 * fails repeatedly, is logged and skipped: others wait behind it.
 */
export async function ingestMail(
  tools: MailboxTools,
  session: MailboxSession,
  { uid, raw, isOutline }: FetchedMail,
): Promise<void> {
  let explain = isOutline ? explainOutline : explainSafely;
  let areFilesStored = true;
  for (let tried = 1; ; tried += 1) {
    try {
      return await ingestOnce(tools, session, { uid, raw, explain, areFilesStored });
    } catch (error) {
      if (isLeaseLost(error) || isDatabaseAway(error) || isOutOfMemory(error)) {
        throw error;
      }
      if (tried === OVERRUNS_MAX && error instanceof ThreadOverrun) {
        tools.log.error(
          { ...session.logFields, uid, err: error },
          'mail kept without its content: it takes too long to read',
        );
        explain = explainOutline;
      }
      if (tried === TRIES && areFilesStored && isStorageAway(error)) {
        tools.log.error(
          { ...session.logFields, uid, err: error },
          'mail kept without its files: they cannot be stored',
        );
        areFilesStored = false;
        tried = 0;
      } else if (tried === TRIES || isUnreadable(error)) {
        tools.log.error(
          { ...session.logFields, uid, err: error },
          'mail skipped: it could not be stored',
        );
        return giveUpMail(tools, session, uid);
      }
      await sleep(TRY_AGAIN_MS * tried);
    }
  }
}

const isStorageAway = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'SERVICE_UNAVAILABLE';

const isUnreadable = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'VALIDATION_ERROR';

interface MailToIngest {
  readonly uid: number;
  readonly raw: Buffer;
  readonly explain: typeof explainOutline;
  readonly areFilesStored: boolean;
}

const NOT_STORED = 'the file could not be stored; look for the mail in your mailbox';

async function ingestOnce(
  { transact, log, files }: MailboxTools,
  { mailbox, holder, setup, logFields }: MailboxSession,
  { uid, raw, explain, areFilesStored }: MailToIngest,
): Promise<void> {
  const { ignored, ...content } = await explain(raw, setup);
  const logIgnored = (why: string) =>
    log.info({ ...logFields, uid, why }, 'mail ignored: it is not a message from a person');
  if (ignored !== undefined) {
    logIgnored(ignored);
  }
  const { subAccountId } = mailbox;
  const actor = actorOf(setup);
  const change: StoreContext['change'] = (one) => transact(subAccountId, actor, one);
  const context = { files, subAccountId, change };
  const stored = areFilesStored
    ? await withStoredFiles(context, content)
    : withRefusedFiles(content, NOT_STORED);
  const messageId = await transact(subAccountId, actor, async (work) => {
    if (!(await advance(work, holder, mailbox, uid))) {
      throw mailboxLost();
    }
    return ingest(work, 'email', stored);
  });
  if (messageId === null && stored.inbound.length > 0) {
    logIgnored('sent by this sub-account');
  }
}

const actorOf = ({ provider }: ChannelSetup): Actor => ({
  kind: 'provider',
  name: `${provider}/email`,
  requestId: crypto.randomUUID(),
  operation: 'mailbox',
});

/** Advances the position past a mail that could not be read, which is counted. */
export async function giveUpMail(
  { database }: MailboxTools,
  { mailbox, holder }: MailboxSession,
  uid: number,
): Promise<void> {
  if (!(await giveUp(database, holder, mailbox, uid))) {
    throw mailboxLost();
  }
}

/** Advances the position past a mail. */
export async function skipMail(
  { database }: MailboxTools,
  { mailbox, holder }: MailboxSession,
  uid: number,
): Promise<void> {
  if (!(await advance(database, holder, mailbox, uid))) {
    throw mailboxLost();
  }
}
