import type { OutboundAnswer, OutboundFailure } from '#core/outbound.ts';
import type { SendResult, SendContext, Provider } from '../provider.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import { composeMail } from '../compose-mail.ts';
import { accessTokenOf, forgetToken } from './token.ts';
import {
  addressOf,
  HTTP_LIMITS,
  idOf,
  isPassing,
  isTaken,
  namelessAnswer,
  notTaken,
  objectIn,
  unanswered,
} from '../http-outcome.ts';

const GMAIL_API = 'https://gmail.googleapis.com';
const SEND = '/gmail/v1/users/me/messages/send';

/** Sends the message as a mail of the refresh token's Google account. */
export const sendViaGmail: Provider = async (setup, message, context) => {
  const { mail } = await composeMail(setup, message);
  return send(setup, mail.toString('base64url'), context);
};

async function send(
  setup: ChannelSetup,
  raw: string,
  context: SendContext,
  isRepeated = false,
): Promise<SendResult> {
  const granted = await accessTokenOf(setup, context);
  if ('result' in granted) {
    return granted;
  }
  const { tools, signal } = context;
  const answer = await tools.outbound.send({
    ...HTTP_LIMITS,
    url: addressOf(setup.settings['apiBaseUrl'], GMAIL_API) + SEND,
    method: 'POST',
    isRepeatable: false,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk/1.0',
      authorization: `Bearer ${granted.token}`,
    },
    body: JSON.stringify({ raw }),
    signal,
  });
  if ('status' in answer && answer.status === 401 && !isRepeated) {
    // A token may be revoked before it expires.
    forgetToken(granted);
    return send(setup, raw, context, true);
  }
  return outcomeOf(answer, context.clock());
}

function outcomeOf(answer: OutboundAnswer | OutboundFailure, now: Date): SendResult {
  if ('failure' in answer) {
    return unanswered(answer);
  }
  const { status, body } = answer;
  if (!isTaken(status)) {
    return refusalOf(answer, now);
  }
  const externalId = idOf(objectIn(body)['id']);
  return externalId === undefined ? namelessAnswer('Gmail', 'id') : { result: 'taken', externalId };
}

/** Too many calls, which Gmail may also report with 403. */
const THROTTLED = new Set(['rateLimitExceeded', 'userRateLimitExceeded']);

function refusalOf(answer: OutboundAnswer, now: Date): SendResult {
  const { status } = answer;
  const { message, errors } = errorIn(answer.body);
  const said = typeof message === 'string' ? `: ${message}` : '';
  return notTaken(answer, now, {
    errorCode: String(status),
    errorMessage: `Gmail returned ${status}${said}`,
    isPassing: isPassing(status) || reasonsIn(errors).some((reason) => THROTTLED.has(reason)),
  });
}

function errorIn(body: Buffer): { readonly message?: unknown; readonly errors?: unknown } {
  const { error } = objectIn(body);
  return typeof error === 'object' && error !== null ? error : {};
}

const reasonsIn = (errors: unknown): string[] =>
  Array.isArray(errors)
    ? errors.map((one: { reason?: unknown } | null) => String(one?.reason))
    : [];
