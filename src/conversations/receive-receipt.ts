import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import type { Receipt } from './callback.shape.ts';
import { changeMessageStatus } from './change-message-status.ts';
import type { Channel } from './conversation.shape.ts';
import { externalName, holdNames } from './hold-names.ts';

/** Answers the message it is about; null where the receipt is kept until there is one. */
export async function receiveReceipt(
  work: Work,
  channel: Channel,
  { externalId, ...told }: Receipt,
): Promise<string | null> {
  const { subAccountId, now } = work;
  await holdNames(work, [externalName(channel, externalId)]);
  const values = [subAccountId, channel, externalId];
  const [message] = await work.rows<{ id: string }>(MESSAGE, values);
  if (message) {
    await changeMessageStatus(work, message.id, told);
    return message.id;
  }
  const { status, errorCode, errorMessage } = told;
  work.write(KEEP, [...values, newId(now), status, errorCode ?? null, errorMessage ?? null, now]);
  return null;
}

const MESSAGE = `select id from messages
  where sub_account_id = $1 and channel = $2 and external_id = $3 and direction = 'outbound'`;

const KEEP = `insert into message_receipts
    (sub_account_id, channel, external_id, id, status, error_code, error_message, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (sub_account_id, channel, external_id, status) do nothing`;
