import { performs } from '#kit/job.ts';
import { notifyAdmins } from './notify-admins.ts';

interface Addressed {
  readonly name: string;
  readonly admins: readonly string[];
}

/**
 * Mails the admins that are listed now. Below the text stands the sub-account's name, for one
 * person may run several. Sends nothing once the sub-account is deleted.
 */
export const performNotifyAdmins = performs(notifyAdmins, async (payload, context) => {
  const { subAccountId, subject, text } = payload;
  const view = context.openView(subAccountId, context.clock());
  const [found] = await view.rows<Addressed>(ADDRESSED, [subAccountId]);
  if (found) {
    const signed = `${text.trimEnd()}\n\n-- \n${found.name}\n`;
    await context.tools.mailer.send({ to: found.admins, subject, text: signed });
  }
});

const ADDRESSED = 'select name, admins from sub_accounts where id = $1 and deleted_at is null';
