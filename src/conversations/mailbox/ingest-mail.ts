import { sleep } from '#lib/abort.ts';
import { Fault } from '#core/fault.ts';
import type { Actor } from '#core/work.ts';
import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { isLeaseLost } from '#platform/database/lease.ts';
import type { ChannelSetup } from '../channels/read-channel.ts';
import { ingest } from '../inbound/ingest.ts';
import type { MailboxSession, MailboxTools } from './mailbox-session.ts';
import { advance } from './mailbox-position.ts';
import { mailboxLost } from './mailbox-leases.ts';
import { explainMail } from './parse-mail.ts';

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
