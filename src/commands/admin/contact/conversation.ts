import { defineCommand } from '#core/command.ts';
import { readConversation } from '../../../conversations/threads/conversation.store.ts';
import { resendMessageById } from '../../../conversations/messages/resend-message.ts';
import { listMessages } from '../../../conversations/messages/list-messages.ts';
import type { AdminContext } from '../../open-admin.ts';
import {
  contactOption,
  knownContact,
  LIMIT_DEFAULT,
  limitOption,
  subAccountOption,
  valueOf,
  viewOf,
  viewOfOwner,
} from '../answers.ts';

const show = defineCommand<AdminContext>()({
  path: 'admin conversation show',
  summary: 'Show a conversation and its contact',
  arguments: ['id'],
  options: { subAccount: { ...subAccountOption, required: false } },
  examples: [
    'frontdesk admin conversation show 0198c0de-…',
    'frontdesk admin conversation show 0198c0de-… --sub-account 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { id, subAccount }) {
    const conversation = { table: 'conversations', noun: 'conversation', id, subAccount } as const;
    const view = await viewOfOwner(context, conversation);
    return { json: valueOf(await readConversation(view, id.toLowerCase())) };
  },
});

const listCommand = defineCommand<AdminContext>()({
  path: 'admin message list',
  summary: 'List messages, newest first, with the first 1,000 characters of their text',
  options: {
    subAccount: subAccountOption,
    conversation: { flag: '--conversation <id>', help: 'only messages of this conversation' },
    contact: contactOption('messages'),
    failed: {
      flag: '--failed',
      help: 'only messages of the last 7 days that failed or bounced and were not sent again; the table shows why',
    },
    limit: limitOption(),
  },
  examples: [
    'frontdesk admin message list --sub-account 0198c0de-…',
    'frontdesk admin message list --sub-account 0198c0de-… --conversation 0198c0de-…',
    'frontdesk admin message list --sub-account 0198c0de-… --contact 0198c0de-…',
    'frontdesk admin message list --sub-account 0198c0de-… --failed',
  ],
  context: 'service',
  async run(context, { subAccount, conversation, contact, failed, limit = LIMIT_DEFAULT }) {
    const view = await viewOf(context, subAccount);
    if (conversation !== undefined) {
      const wanted = { table: 'conversations', noun: 'conversation', id: conversation } as const;
      await viewOfOwner(context, { ...wanted, subAccount: view.subAccountId });
    }
    const contactId = await knownContact(context, view, contact);
    const filter = { conversationId: conversation, contactId, failed, limit };
    const rows = await listMessages(view, filter);
    const table = rows.map(({ id, createdAt, direction, channel, status, ...row }) => {
      const peer = direction === 'inbound' ? row.fromAddress : row.toAddress;
      const { errorCode: error } = row;
      return failed
        ? { id, createdAt, status, error, why: row.errorMessage, peer, channel }
        : { id, createdAt, status, text: row.subject ?? row.bodyText, peer, direction, channel };
    });
    return { json: rows, table, limit };
  },
});

const OPTED_OUT =
  'not sent: the contact opted out of this channel, or has do-not-disturb set; nothing was changed';

const resend = defineCommand<AdminContext>()({
  path: 'admin message resend',
  summary: 'Send a failed or bounced message again, once: the same text to the same address',
  arguments: ['id'],
  examples: [
    'frontdesk admin message resend 0198c0de-…',
    'frontdesk admin message resend 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { id }) {
    const message = { table: 'messages', noun: 'message', id } as const;
    const { subAccountId } = await viewOfOwner(context, message);
    const [written, record] = await context.transact(
      subAccountId,
      context.actor,
      (work) => resendMessageById(work, id.toLowerCase()),
      async (view, it) => [it, 'skipped' in it ? it.skipped : await it.record(view)] as const,
    );
    const json = valueOf(record);
    return 'skipped' in written
      ? { json, text: OPTED_OUT, exitCode: 1 }
      : { json, text: `queued the message again, as ${written.id}` };
  },
});

export const conversationCommands = [show];
export const messageCommands = [listCommand, resend];
