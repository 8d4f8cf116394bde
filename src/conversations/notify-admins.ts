import { handle } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { mailPerson, notifyAdmins } from '../accounts/team/team.jobs.ts';
import { carrierOf, hasProvider, isProvider, readChannel } from './channels/channel.store.ts';
import { sendVia } from './providers/send.ts';

interface Recipients {
  readonly name: string;
  readonly admins: readonly string[];
}

/**
 * Mails the current admins: through the sub-account's email channel, else by the operator's mail server
 * (contract 2). The text ends with the sub-account's name, since an admin may run several. Sends nothing
 * for a deleted sub-account; mails of a sandbox are logged instead (contract 4).
 */
export const handleNotifyAdmins = handle(notifyAdmins, async (payload, context) => {
  const { subAccountId, noticeId, contactId, subject, text } = payload;
  const view = context.openView(subAccountId, context.clock());
  const [found] = await view.rows<Recipients>(RECIPIENTS, [subAccountId]);
  if (!found) {
    return;
  }
  const mail = { subject, text: `${text.trimEnd()}\n\n-- \n${found.name}\n` };
  const carrier = await carrierOf(view, 'email');
  if (carrier === 'sandbox') {
    const recipients = found.admins.length;
    context.log.info(
      { subAccountId, subject, recipients },
      'mail to the admins not sent: the sub-account is a sandbox',
    );
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
      const mailId = newId(work.now);
      const about = contactId === undefined ? {} : { contactId };
      work.enqueue(mailPerson, { subAccountId, mailId, to, ...about, ...mail });
    }
  });
});

const RECIPIENTS = 'select name, admins from sub_accounts where id = $1 and deleted_at is null';

/** Returns false if an earlier run of the job has queued the mails of the notice. */
async function claimNotice(work: Work, noticeId: string): Promise<boolean> {
  return (await work.rows(CLAIM, [work.subAccountId, noticeId])).length > 0;
}

const CLAIM = `insert into admin_notices (sub_account_id, id) values ($1, $2)
  on conflict do nothing returning id`;

/** Rejects if the provider may accept the mail later, so that the queue tries again. */
export const handleMailPerson = handle(mailPerson, async (payload, context) => {
  const { subAccountId, mailId, to: toAddress, subject, text: bodyText } = payload;
  const view = context.openView(subAccountId, context.clock());
  const setup = (await hasProvider(view, 'email'))
    ? await readChannel(view, context.tools.secrets, 'email')
    : undefined;
  if (!setup) {
    return;
  }
  const content = { toAddress, subject, bodyText, bodyHtml: null };
  const ids = { id: mailId, conversationId: mailId };
  const mail = { ...content, ...ids, autoSubmitted: 'auto-generated' } as const;
  const callbackUrl = context.settings.baseUrl;
  const outcome = await sendVia(setup, mail, { ...context, callbackUrl });
  if (outcome.result === 'again') {
    throw new Error(`the email channel did not accept a mail to an admin: ${outcome.errorMessage}`);
  }
  if (outcome.result === 'refused') {
    // The log is the only trace: the mail is not a message of a conversation.
    const { errorCode, errorMessage } = outcome;
    context.log.warn(
      { subAccountId, mailId, errorCode, errorMessage },
      'the email channel refused a mail to an admin',
    );
  }
});
