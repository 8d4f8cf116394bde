import { defineEndpoint } from '#kit/endpoint.ts';
import * as s from '#kit/schema.ts';
import { inboundBody, receiptBody } from './callback.shape.ts';
import { channel } from './conversation.shape.ts';
import { proveBridge } from './prove-bridge.ts';
import { receiveMessage } from './receive-message.ts';
import { receiveReceipt } from './receive-receipt.ts';

const params = s.strict({ subAccountId: s.uuid(), channel });

const SIGNED =
  '`X-Signature: sha256=<hex>` is the HMAC-SHA256 of the raw body under the secret of the channel. Without it, or with another, the answer is 401 and nothing is kept.';

/** What providers call; each call proves itself by its signature. */
export const callbackEndpoints = [
  defineEndpoint({
    id: 'callbacks.inbound',
    method: 'POST',
    path: '/webhooks/provider/:subAccountId/:channel/inbound',
    summary: 'Bring in a message from a contact',
    description: `${SIGNED} A message that is brought again changes nothing and is answered alike.`,
    access: { kind: 'signed' },
    params,
    body: inboundBody,
    data: s.answer({ messageId: s.uuid() }),
    prove: (call) => proveBridge(call, inboundBody),
    receive: async ({ work, params: { channel: by }, body }) => ({
      data: { messageId: await receiveMessage(work, by, body) },
    }),
  }),

  defineEndpoint({
    id: 'callbacks.status',
    method: 'POST',
    path: '/webhooks/provider/:subAccountId/:channel/status',
    summary: 'Tell what became of a message',
    description: `${SIGNED} What is told of a message that is not known yet is kept for it, 30 days.`,
    access: { kind: 'signed' },
    params,
    body: receiptBody,
    data: s.answer({
      messageId: s.nullable(s.uuid({ description: 'null where the message is not known yet' })),
    }),
    prove: (call) => proveBridge(call, receiptBody),
    receive: async ({ work, params: { channel: by }, body }) => ({
      data: { messageId: await receiveReceipt(work, by, body) },
    }),
  }),
];
