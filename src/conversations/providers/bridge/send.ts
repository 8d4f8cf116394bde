import { createHmac } from 'node:crypto';
import type { Outbound, OutboundAnswer, OutboundFailure } from '#core/outbound.ts';
import type { Outgoing, Provider } from '../provider.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import { HTTP_LIMITS, outcomeOf } from '../http-outcome.ts';

/** Posts the message as signed JSON to the bridge, which returns its id (contract 5). */
export const sendViaBridge: Provider = async (setup, message, { tools, signal, clock }) => {
  const body = bodyOf(message, setup.settings['from']);
  const answer = await postToBridge(setup, tools.outbound, body, signal);
  return outcomeOf(answer, clock(), RULES);
};

/** Calls the bridge of a channel with a signed JSON body. Never rejects. */
export function postToBridge(
  { subAccountId, settings, secrets }: ChannelSetup,
  outbound: Pick<Outbound, 'send'>,
  content: object,
  signal?: AbortSignal,
): Promise<OutboundAnswer | OutboundFailure> {
  const body = JSON.stringify(content);
  return outbound.send({
    ...HTTP_LIMITS,
    subAccountId,
    url: String(settings['apiBaseUrl']),
    method: 'POST',
    isRepeatable: false,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk/1.0',
      'x-signature': signatureOf(secrets['secret'] ?? '', body),
    },
    body,
    ...(signal && { signal }),
  });
}

const bodyOf = (
  { id, toAddress, subject, bodyText, bodyHtml, files = [] }: Outgoing,
  from: unknown,
) => ({
  messageId: id,
  to: toAddress,
  from: from ?? null,
  ...(subject !== null && { subject }),
  bodyText,
  ...(bodyHtml !== null && { bodyHtml }),
  ...(files.length > 0 && {
    attachments: files.map(({ name, type, url }) => ({ name, type, url })),
  }),
});

const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const RULES = {
  provider: 'the bridge',
  idMember: 'externalId',
  explain: ({ status }: OutboundAnswer) => ({
    errorCode: String(status),
    errorMessage: `the bridge returned ${status}`,
  }),
};
