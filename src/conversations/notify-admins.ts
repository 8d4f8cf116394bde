import { handle } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { mailPerson, notifyAdmins } from '../accounts/team/team.jobs.ts';
import { carrierOf, hasProvider, isProvider, readChannel } from './channels/channel.store.ts';
import { sendVia } from './providers/send.ts';

interface Addressed {
  readonly name: string;
  readonly admins: readonly string[];
}

/**
 * Mails the admins that are listed now: through the sub-account's email channel, else by the
 * operator's mail server (contract 2). Below the text stands the sub-account's name, for one person
 * may run several. Sends nothing once the sub-account is deleted; of a sandbox it is logged, for
 * nothing of it leaves the house (contract 4).
 */
export const handleNotifyAdmins = handle(notifyAdmins, async (payload, context) => {
  const { subAccountId, noticeId, subject, text } = payload;
  const view = context.openView(subAccountId, context.clock());
  const [found] = await view.rows<Addressed>(ADDRESSED, [subAccountId]);
  if (!found) {
    return;
  }
  const mail = { subject, text: `${text.trimEnd()}\n\n-- \n${found.name}\n` };
  const carrier = await carrierOf(view, 'email');
  if (carrier === 'sandbox') {
    const recipients = found.admins.length;
    context.log.info({ subAccountId, subject, recipients }, 'a mail was not sent: of a sandbox');
    return;
  }
  if (!isProvider(carrier)) {
    await context.tools.mailer.send({ to: found.admins, ...mail });
    return;
  }
  await context.transact(subAccountId, context.actor, async (work) => {
    if (noticeId !== undefined && !(await claimNotice(work, noticeId))) {
      return;
    }
    for (const to of found.admins) {
      work.enqueue(mailPerson, { subAccountId, mailId: newId(work.now), to, ...mail });
    }
  });
});

const ADDRESSED = 'select name, admins from sub_accounts where id = $1 and deleted_at is null';

/** False where the mails of the notice were queued before: the job ended before that was known. */
async function claimNotice(work: Work, noticeId: string): Promise<boolean> {
  return (await work.rows(CLAIM, [work.subAccountId, noticeId])).length > 0;
}

const CLAIM = `insert into admin_notices (sub_account_id, id) values ($1, $2)
  on conflict do nothing returning id`;

/** Rejects where the provider may take the mail later: the queue tries it again. */
export const handleMailPerson = handle(mailPerson, async (payload, context) => {
  const { subAccountId, mailId, to: toAddress, subject, text: bodyText } = payload;
  const view = context.openView(subAccountId, context.clock());
  const setup = (await hasProvider(view, 'email'))
    ? await readChannel(view, context.tools.secrets, 'email')
    : undefined;
  if (!setup) {
    return;
  }
  const words = { toAddress, subject, bodyText, bodyHtml: null };
  const mail = { ...words, id: mailId, conversationId: mailId, isAutomatic: true } as const;
  const callbackUrl = context.settings.baseUrl;
  const outcome = await sendVia(setup, mail, { ...context, callbackUrl });
  if (outcome.result === 'again') {
    throw new Error(`the email channel did not take a mail: ${outcome.errorMessage}`);
  }
  if (outcome.result === 'refused') {
    // Nobody else would ever know: it is no message of a conversation.
    const { errorCode, errorMessage } = outcome;
    context.log.warn({ subAccountId, mailId, errorCode, errorMessage }, 'a mail was refused');
  }
});
