import { handle } from '#core/job.ts';
import { mailPerson } from '../accounts/team/team.jobs.ts';
import { hasProvider } from './channels/channel-configuration.ts';
import { sendVia } from './providers/send.ts';
import { readChannel } from './channels/read-channel.ts';

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
