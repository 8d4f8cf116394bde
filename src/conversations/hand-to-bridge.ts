import { createHmac } from 'node:crypto';
import type { OutboundAnswer } from '#kit/outbound.ts';
import type { HandedOver, Outgoing, Provider } from './hand-over.ts';

const TIMEOUT_MS = 30_000;
const READ_MAX_BYTES = 20_000;
const ID_MAX = 998;

/** Answers below 500 that may be another one later (contract 5). */
const PASSING = new Set([408, 429]);

/** Posts the message to a signed JSON bridge, which answers with its own id of it (contract 5). */
export const handToBridge: Provider = async (setup, message, { tools, signal }) => {
  const body = bodyOf(message, setup.settings['from']);
  const answer = await tools.outbound.send({
    url: String(setup.settings['apiBaseUrl']),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk/1.0',
      'x-signature': signatureOf(setup.secrets['secret'] ?? '', body),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    readMaxBytes: READ_MAX_BYTES,
    signal,
  });
  return 'failure' in answer
    ? { result: 'again', errorCode: 'network', errorMessage: answer.failure }
    : outcomeOf(answer);
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

function outcomeOf({ status, body }: OutboundAnswer): HandedOver {
  if (status < 200 || status >= 300) {
    const result = status >= 500 || PASSING.has(status) ? 'again' : 'refused';
    return { result, errorCode: String(status), errorMessage: `the bridge answered ${status}` };
  }
  const externalId = idIn(body);
  return externalId === undefined ? NO_ID : { result: 'taken', externalId };
}

/** It took the message and may have sent it: another attempt could send it twice. */
const NO_ID = {
  result: 'refused',
  errorCode: 'invalid_answer',
  errorMessage: `the bridge took the message but answered no externalId of 1 to ${ID_MAX} characters`,
} as const;

function idIn(body: Buffer): string | undefined {
  try {
    const { externalId } = JSON.parse(body.toString('utf8')) as { externalId?: unknown };
    const isId = typeof externalId === 'string' && /^[^\0]+$/s.test(externalId);
    return isId && externalId.length <= ID_MAX ? externalId : undefined;
  } catch {
    return undefined;
  }
}
