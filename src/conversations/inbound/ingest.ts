import type { Work } from '#core/work.ts';
import type { StoreContext } from '../../files/store-file.ts';
import type { InboundMessage, ProviderId, WebhookContent } from './callback.schema.ts';
import { refuseInboundFiles, storeInboundFiles } from './inbound-files.ts';
import { changeMessageStatus } from '../messages/change-message-status.ts';
import type { Channel } from '../../contacts/channels.ts';
import { namedMessage } from '../mailbox/mail-thread.ts';
import { isMail } from '../threads/conversation.schema.ts';
import { externalName, lockNames } from './lock-names.ts';
import { applyReadReceipt, receiveReceipt } from './receive-receipt.ts';
import { receiveMessage } from './receive-message.ts';

/** Stores the files of all messages of a call, before `ingest`. */
export async function withStoredFiles(
  context: StoreContext,
  content: WebhookContent,
): Promise<WebhookContent> {
  const inbound: InboundMessage[] = [];
  for (const message of content.inbound) {
    const { attachments: files } = message;
    const stored = files && { attachments: await storeInboundFiles(context, files) };
    inbound.push({ ...message, ...stored });
  }
  return { ...content, inbound };
}

/** Like `withStoredFiles`, while the storage cannot be used: people read the reason instead. */
export const withRefusedFiles = (content: WebhookContent, reason: string): WebhookContent => ({
  ...content,
  inbound: content.inbound.map((message) => ({
    ...message,
    ...(message.attachments && { attachments: refuseInboundFiles(message.attachments, reason) }),
  })),
});

/**
 * Stores the content of a call. Returns the id of its first message, or null if it is not known or is a copy
 * of an own mail.
 */
export async function ingest(
  work: Work,
  channel: Channel,
  content: WebhookContent,
): Promise<string | null> {
  const ids: (string | null)[] = [];
  for (const message of content.inbound) {
    const isCopy = await isOwnMail(work, channel, message);
    ids.push(isCopy ? null : await receiveMessage(work, channel, message));
  }
  for (const name of content.names ?? []) {
    await storeProviderId(work, channel, name);
  }
  for (const receipt of content.receipts) {
    ids.push(await receiveReceipt(work, channel, receipt));
  }
  for (const mark of content.marks ?? []) {
    await applyReadReceipt(work, channel, mark);
  }
  return ids[0] ?? null;
}

/**
 * Returns whether a mail is a copy of a mail of this sub-account, as of a list or a Bcc. Only the id decides:
 * other sub-accounts may have addresses of the same domain.
 */
async function isOwnMail(
  work: Work,
  channel: Channel,
  { externalId }: InboundMessage,
): Promise<boolean> {
  const id = isMail(channel) ? namedMessage(externalId) : undefined;
  return id !== undefined && (await work.rows(OWN_MAIL, [work.subAccountId, id])).length > 0;
}

const OWN_MAIL = `select 1 from messages
  where sub_account_id = $1 and id = $2 and direction = 'outbound'
  union all
  select 1 from campaign_recipients where sub_account_id = $1 and id = $2`;

/** Stores the provider's id of a message: the answer that held it may have been lost. */
async function storeProviderId(
  work: Work,
  channel: Channel,
  { messageId, externalId, fromAddress }: ProviderId,
): Promise<void> {
  await lockNames(work, [externalName(channel, externalId)]);
  const values = [work.subAccountId, channel, externalId, messageId];
  const [message] = await work.rows(WITHOUT_ID, values);
  if (message) {
    await changeMessageStatus(work, messageId, {
      status: 'pending',
      externalId,
      ...(fromAddress && { fromAddress }),
    });
  }
}

const WITHOUT_ID = `select 1 from messages m
  where m.sub_account_id = $1 and m.channel = $2 and m.id = $4 and m.direction = 'outbound'
    and m.status = 'pending' and m.external_id is null
    and not exists (
      select from messages o
      where o.sub_account_id = $1 and o.channel = $2 and o.external_id = $3
    )`;
