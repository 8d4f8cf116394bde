import { defineSignedEndpoint } from '#core/endpoint/signed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { inboundBody, receiptBody, type WebhookContent } from './callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { channel } from '../threads/conversation.schema.ts';
import { verifyChallenge } from '../providers/meta/verify.ts';
import { verifyWebhook } from '../providers/verify.ts';
import { ingest, withStoredFiles } from './ingest.ts';
import type { PrepareContext } from '#core/endpoint/route.ts';

const PATH = '/webhooks/provider/:subAccountId/:channel';
const params = s.request({ subAccountId: s.uuid(), channel });

const SIGNED =
  "The channel's provider signs the call. The http bridge, and programs that post mails to `email`, send `X-Signature: sha256=<hex>`: the HMAC-SHA256 of the raw body with the channel's secret as key. Twilio sends `X-Twilio-Signature`, Meta `X-Hub-Signature-256`. A missing or wrong signature returns 401, and nothing is stored.";

const signature = [
  {
    name: 'X-Signature',
    description:
      'for the http bridge and posted mails: sha256= and the HMAC-SHA256 of the raw body under the secret of the channel, in hex',
  },
  { name: 'X-Twilio-Signature', description: 'the signature of Twilio' },
  { name: 'X-Hub-Signature-256', description: 'the signature of Meta' },
] as const;

const FORM = 'application/x-www-form-urlencoded';

const data = s.response({
  messageId: s.nullable(
    s.uuid({ description: 'the first message of the call; null if it is not known' }),
  ),
});

async function receive({ work, params: { channel: from }, payload }: ReceiveContext) {
  const { document } = payload;
  return { data: { messageId: await ingest(work, from, payload) }, ...(document && { document }) };
}

/** Stores the files of the messages, and returns the call with what they became. */
const storeFiles = async ({ payload, tools, view, change }: PrepareContext & Payload) =>
  withStoredFiles({ files: tools.files, subAccountId: view.subAccountId, change }, payload);

interface Payload {
  readonly payload: WebhookContent;
}

interface ReceiveContext {
  readonly work: Parameters<typeof ingest>[0];
  readonly params: { readonly channel: Channel };
  readonly payload: WebhookContent;
}

/** With this call Meta checks that the URL belongs to the owner of the page. */
const challenge = (kind: 'inbound' | 'status') =>
  defineSignedEndpoint({
    id: `callbacks.${kind}.challenge`,
    method: 'GET',
    path: `${PATH}/${kind}`,
    summary: "Answer Meta's challenge",
    description:
      'Returns the plain `hub.challenge` if `hub.verify_token` is the `verifyToken` of the channel, else 403.',
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
    path: `${PATH}/inbound`,
    summary: 'Receive a message from a contact',
    description: `${SIGNED} A repeated message changes nothing and gets the same response. \`email\` also accepts raw mails. Twilio gets empty TwiML. Fires \`message.received\`, after \`contact.created\` for an unknown sender.`,
    signature,
    params,
    body: inboundBody,
    takes: ['message/rfc822', FORM],
    documents: ['text/xml'],
    data,
    verify: verifyWebhook('inbound'),
    prepare: storeFiles,
    receive,
  }),

  defineSignedEndpoint({
    id: 'callbacks.status',
    method: 'POST',
    path: `${PATH}/status`,
    summary: 'Receive the status of a message',
    description: `${SIGNED} The status of an unknown message is stored for 30 days, in case the message follows. Fires \`message.sent\`, \`message.delivered\` or \`message.failed\`, if the status is a new one.`,
    signature,
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
