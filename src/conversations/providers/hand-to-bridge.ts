import { createHmac } from 'node:crypto';
import type { OutboundAnswer } from '#kit/outbound.ts';
import type { HandedOver, Outgoing, Provider } from '../hand-over.ts';
import {
  HTTP_LIMITS,
  idOf,
  isTaken,
  namelessAnswer,
  notTaken,
  objectIn,
  unanswered,
} from './http-outcome.ts';

/** Posts the message to a signed JSON bridge, which answers with its own id of it (contract 5). */
export const handToBridge: Provider = async (setup, message, { tools, signal, clock }) => {
  const body = bodyOf(message, setup.settings['from']);
  const answer = await tools.outbound.send({
    ...HTTP_LIMITS,
    url: String(setup.settings['apiBaseUrl']),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk/1.0',
      'x-signature': signatureOf(setup.secrets['secret'] ?? '', body),
    },
    body,
    signal,
  });
  return 'failure' in answer ? unanswered(answer) : outcomeOf(answer, clock());
};

const bodyOf = ({ id, toAddress, subject, bodyText, bodyHtml }: Outgoing, from: unknown): string =>
  JSON.stringify({
    messageId: id,
    to: toAddress,
    from: from ?? null,
    ...(subject !== null && { subject }),
    bodyText,
    ...(bodyHtml !== null && { bodyHtml }),
  });

const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function outcomeOf(answer: OutboundAnswer, now: Date): HandedOver {
  const { status, body } = answer;
  if (!isTaken(status)) {
    const errorMessage = `the bridge answered ${status}`;
    return notTaken(answer, now, { errorCode: String(status), errorMessage });
  }
  const externalId = idOf(objectIn(body)['externalId']);
  return externalId === undefined
    ? namelessAnswer('the bridge', 'externalId')
    : { result: 'taken', externalId };
}
