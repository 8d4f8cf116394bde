import { defineCommand } from '#core/command.ts';
import {
  findCapturedMails,
  type CapturedMail,
} from '../../campaigns/delivery/find-captured-mails.ts';
import { findCaptured, type CapturedMessage } from '../../conversations/messages/find-captured.ts';
import type { AdminContext } from '../open-admin.ts';
import { liveSubAccount, limitOption } from './answers.ts';

const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 100_000;

const list = defineCommand<AdminContext>()({
  path: 'admin outbox list',
  summary: 'List messages that a sandbox captured instead of sending, newest first',
  options: {
    subAccount: {
      flag: '--sub-account <sub>',
      help: 'ID of the sandbox sub-account',
      required: true,
    },
    limit: limitOption(LIMIT_DEFAULT, LIMIT_MAX),
  },
  examples: ['frontdesk admin outbox list --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount, limit = LIMIT_DEFAULT }) {
    const { id } = await liveSubAccount(context, subAccount);
    const view = context.openView(id, context.clock());
    const captured = [
      ...(await findCaptured(view, limit)),
      ...(await findCapturedMails(view, limit)),
    ];
    // Ids are ordered by time.
    const rows = captured.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
    return { json: rows, table: rows.map(tableRow) };
  },
});

const tableRow = ({
  id,
  createdAt,
  channel,
  toAddress,
  status,
  ...row
}: CapturedMessage | CapturedMail) => ({
  createdAt,
  channel,
  to: toAddress,
  says: row.subject ?? row.bodyText,
  status,
  id,
});

export const outboxCommands = [list];
