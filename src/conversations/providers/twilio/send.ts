import { createRequire } from 'node:module';
import type { OutboundAnswer, OutboundFailure } from '#core/outbound.ts';
import type { SendResult, SendContext, Outgoing, Provider } from '../../messages/send.ts';
import type { ChannelSetup } from '../../channels/read-channel.ts';
import {
  addressOf,
  HTTP_LIMITS,
  idOf,
  isTaken,
  namelessAnswer,
  notTaken,
  objectIn,
  unanswered,
} from '../http-outcome.ts';
import { stripInvalidText } from '../strip-invalid-text.ts';
import { twilioChange } from './status.ts';

/** What Twilio takes, in up to ten segments. */
const TEXT_MAX = 1_600;

/**
 * Sends the message as an SMS. Twilio calls back at an address that names the message, so that what
 * it took is known even where its answer was lost.
 */
export const sendViaTwilio: Provider = async (setup, message, context) => {
  if ((message.bodyText ?? '').length > TEXT_MAX) {
    return TOO_LONG;
  }
  const asked = await ask(setup, message, context);
  if (asked === undefined) {
    return NOT_ASKED;
  }
  return 'failure' in asked ? unanswered(asked) : outcomeOf(asked, context.clock());
};

const TOO_LONG = {
  result: 'refused',
  errorCode: 'text_too_long',
  errorMessage: `an SMS holds at most ${TEXT_MAX} characters`,
} as const;

const NOT_ASKED = {
  result: 'refused',
  errorCode: 'invalid_setup',
  errorMessage: 'the account of the channel is not one of Twilio',
} as const;

const require = createRequire(import.meta.url);
type TwilioSdk = typeof import('twilio');

/** Their SDK says what is sent; our one way out sends it. Undefined where the SDK refuses the account. */
async function ask(
  { settings, secrets }: ChannelSetup,
  { id, toAddress, bodyText }: Outgoing,
  { tools, signal, callbackUrl }: SendContext,
): Promise<OutboundAnswer | OutboundFailure | undefined> {
  const twilio = require('twilio') as TwilioSdk;
  let answer: OutboundAnswer | OutboundFailure | undefined;
  const from = String(settings['from']);
  const httpClient = {
    async request({ uri, headers = {}, username, password, data }: SdkRequest) {
      answer = await tools.outbound.send({
        ...HTTP_LIMITS,
        url: movedTo(settings['apiBaseUrl'], uri),
        method: 'POST',
        isRepeatable: false,
        headers: { ...headers, authorization: basic(username, password) },
        body: formOf(data),
        signal,
      });
      return 'failure' in answer
        ? { statusCode: 503, body: '{}' }
        : { statusCode: answer.status, body: answer.body.toString('utf8') };
    },
  } as unknown as HttpClient;
  try {
    const client = twilio(String(settings['accountSid']), secrets['authToken'] ?? '', {
      httpClient,
    });
    await client.messages.create({
      to: toAddress ?? '',
      body: bodyText ?? '',
      ...(from.startsWith('MG') ? { messagingServiceSid: from } : { from }),
      statusCallback: `${callbackUrl}/status?messageId=${id}`,
    });
  } catch {
    // What it throws says less than the answer itself.
  }
  return answer;
}

interface SdkRequest {
  readonly uri: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly username: string;
  readonly password: string;
  readonly data: Readonly<Record<string, string | undefined>>;
}

type HttpClient = NonNullable<NonNullable<Parameters<TwilioSdk>[2]>['httpClient']>;

/** Operators may have the SDK call an edge of Twilio's of their own choice. */
function movedTo(apiBaseUrl: unknown, uri: string): string {
  const { origin, pathname, search } = new URL(uri);
  return addressOf(apiBaseUrl, origin) + pathname + search;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const formOf = (data: SdkRequest['data']): string =>
  new URLSearchParams(
    Object.entries(data).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  ).toString();

function outcomeOf(answer: OutboundAnswer, now: Date): SendResult {
  const { status, body } = answer;
  const said = objectIn(body);
  if (!isTaken(status)) {
    const { code, message } = said;
    const reason = typeof message === 'string' ? `: ${message}` : '';
    return notTaken(answer, now, {
      errorCode: typeof code === 'number' ? String(code) : String(status),
      errorMessage: `Twilio answered ${status}${reason}`,
    });
  }
  const externalId = idOf(said['sid']);
  return externalId === undefined ? namelessAnswer('Twilio', 'sid') : takenAs(externalId, said);
}

/** Some messages have failed by the time Twilio answers. */
function takenAs(externalId: string, said: Readonly<Record<string, unknown>>): SendResult {
  const change = twilioChange(said['status'], said['error_code']);
  if (change?.status === 'failed') {
    const { errorCode, errorMessage } = change;
    return { result: 'refused', errorCode, errorMessage };
  }
  const { from } = said;
  return {
    result: 'taken',
    externalId,
    isUnderway: change === undefined,
    ...(typeof from === 'string' && from !== '' && { fromAddress: stripInvalidText(from) }),
  };
}
