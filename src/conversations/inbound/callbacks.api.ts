import { defineSignedEndpoint } from '#core/endpoint/signed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { inboundBody, receiptBody, type WebhookContent } from './callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { channel } from '../threads/conversation.schema.ts';
import { verifyChallenge } from '../providers/meta/verify.ts';
import { verifyWebhook } from '../providers/verify.ts';
import { ingest } from './ingest.ts';

const ADDRESS = '/webhooks/provider/:subAccountId/:channel';
const params = s.request({ subAccountId: s.uuid(), channel });

const SIGNED =
  "The provider of the channel signs the call: the http bridge in `X-Signature: sha256=<hex>`, the HMAC-SHA256 of the raw body under the channel's secret, as any program does that brings mails to `email`; Twilio in `X-Twilio-Signature`; Meta in `X-Hub-Signature-256`. Without it, or with another, the answer is 401 and nothing is kept.";

const FORM = 'application/x-www-form-urlencoded';

const data = s.response({
  messageId: s.nullable(
    s.uuid({ description: 'the first message that was told of; null where none is known' }),
  ),
});

async function receive({ work, params: { channel: by }, payload }: ReceiveContext) {
  const { document } = payload;
  return { data: { messageId: await ingest(work, by, payload) }, ...(document && { document }) };
}

interface ReceiveContext {
  readonly work: Parameters<typeof ingest>[0];
  readonly params: { readonly channel: Channel };
  readonly payload: WebhookContent;
}

/** Meta's check that the URL belongs to its owner. */
const challenge = (kind: 'inbound' | 'status') =>
  defineSignedEndpoint({
    id: `callbacks.${kind}.challenge`,
    method: 'GET',
    path: `${ADDRESS}/${kind}`,
    summary: 'Answer the challenge of Meta',
    description:
      'Answers the bare `hub.challenge` where `hub.verify_token` is the `verifyToken` of the channel, else 403.',
    params,
    query: s.request({
      'hub.mode': Type.Optional(s.oneOf(['subscribe'])),
      'hub.verify_token': Type.Optional(Type.String()),
      'hub.challenge': Type.Optional(Type.String()),
    }),
    data: Type.Null(),
    documents: ['text/plain'],
    faults: ['FORBIDDEN'],
    verify: verifyChallenge,
    receive: ({ payload: body }) =>
      Promise.resolve({ data: null, document: { type: 'text/plain; charset=utf-8', body } }),
  });

/** Called by providers, which sign each call. */
export const callbackEndpoints = [
  defineSignedEndpoint({
    id: 'callbacks.inbound',
    method: 'POST',
    path: `${ADDRESS}/inbound`,
    summary: 'Bring in a message from a contact',
    description: `${SIGNED} A message that is brought again changes nothing and is answered alike. \`email\` takes a mail as it is, too. Twilio is answered with empty TwiML.`,
    params,
    body: inboundBody,
    takes: ['message/rfc822', FORM],
    documents: ['text/xml'],
    data,
    verify: verifyWebhook('inbound'),
    receive,
  }),

  defineSignedEndpoint({
    id: 'callbacks.status',
    method: 'POST',
    path: `${ADDRESS}/status`,
    summary: 'Tell what became of a message',
    description: `${SIGNED} What is told of a message that is not known yet is kept for it, 30 days.`,
    params,
    body: receiptBody,
    takes: [FORM],
    data,
    verify: verifyWebhook('status'),
    receive,
  }),

  challenge('inbound'),
  challenge('status'),
];
