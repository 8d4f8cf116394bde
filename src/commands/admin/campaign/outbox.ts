import { defineCommand } from '#core/command.ts';
import {
  findCapturedMails,
  type CapturedMail,
} from '../../../campaigns/captured/find-captured-mails.ts';
import {
  filesOf,
  readCaptured,
  type ShownCaptured,
} from '../../../campaigns/captured/read-captured.ts';
import {
  findCaptured,
  type CapturedMessage,
} from '../../../conversations/messages/find-captured.ts';
import { findOwner } from '../../../accounts/sub-accounts/sub-account.store.ts';
import { AGENCY } from '#lib/id.ts';
import { networkSettings, type AdminContext } from '../../open-admin.ts';
import { liveSubAccount, limitOption, subAccountOption, viewOfOwner } from '../answers.ts';

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
      ...(await findCaptured(view, { limit })),
      ...(await findCapturedMails(view, linksIn(context), { limit })),
    ];
    // Ids are ordered by time.
    const rows = captured.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
    return { json: rows, table: rows.map(tableRow), limit };
  },
});

const tableRow = (captured: CapturedMessage | CapturedMail) => ({
  id: captured.id,
  createdAt: captured.createdAt,
  to: captured.toAddress,
  text: captured.subject ?? captured.bodyText,
  channel: captured.channel,
  status: captured.status,
  attachments:
    filesOf(captured)
      .map(({ name }) => name)
      .join(', ') || null,
});

const show = defineCommand<AdminContext>()({
  path: 'admin outbox show',
  summary: 'Show a message that a sandbox captured: headers, text, HTML and attachments',
  arguments: ['id'],
  options: { subAccount: { ...subAccountOption, required: false } },
  examples: [
    'frontdesk admin outbox show 0198c0de-…',
    'frontdesk admin outbox show 0198c0de-… --sub-account 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { id, subAccount }) {
    const view = await viewOfCaptured(context, id, subAccount);
    const json = await readCaptured(view, id.toLowerCase(), linksIn(context));
    return { json, text: textOf(json) };
  },
});

/** A captured message is a message of a conversation, or the mail to a recipient of a campaign. */
async function viewOfCaptured(context: AdminContext, id: string, subAccount: string | undefined) {
  const captured = { noun: 'captured message', id, subAccount } as const;
  const all = context.openView(AGENCY, context.clock());
  const isMessage = (await findOwner(all, 'messages', id)) !== undefined;
  return viewOfOwner(context, {
    ...captured,
    table: isMessage ? 'messages' : 'campaign_recipients',
  });
}

const linksIn = ({ secrets }: AdminContext) => ({ secrets, baseUrl: networkSettings().baseUrl });

const NO_HEADERS = 'it is not a mail';

function textOf(captured: ShownCaptured) {
  const { headers, channel, status, previewUrl, bodyText, bodyHtml } = captured;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `${channel}, ${status}: ${previewUrl}`,
    lines.join('\n') || NO_HEADERS,
    bodyText ?? '',
    ...(bodyHtml === null ? [] : [bodyHtml]),
    ...filesOf(captured).map(
      ({ name, type, size }) => `Attachment: ${name} (${type}, ${size} bytes)`,
    ),
  ].join('\n\n');
}

export const outboxCommands = [list, show];
