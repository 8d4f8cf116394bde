import type { OutboundAnswer } from '#core/outbound.ts';
import { objectIn, outcomeOf } from '../http-outcome.ts';
import { stripInvalidText, type JsonObject } from '../json-access.ts';
import type { Provider, SendResult } from '../provider.ts';
import { callTwilio } from './client.ts';
import { twilioChange } from './status.ts';

/** Twilio's limit: ten segments. */
const TEXT_MAX = 1_600;

/**
 * Sends the message as an SMS, or with files as an MMS. The status callback names the message, so that a message which Twilio
 * accepted is known even if Twilio's response was lost.
 */
export const sendViaTwilio: Provider = async (setup, message, context) => {
  const { id, toAddress, bodyText, files = [] } = message;
  if ((bodyText ?? '').length > TEXT_MAX) {
    return TOO_LONG;
  }
  const from = String(setup.settings['from']);
  const answer = await callTwilio(setup, context, (client) =>
    client.messages.create({
      to: toAddress ?? '',
      body: bodyText ?? '',
      ...(files.length > 0 && { mediaUrl: files.map(({ url }) => url) }),
      ...(from.startsWith('MG') ? { messagingServiceSid: from } : { from }),
      statusCallback: `${context.callbackUrl}/status?messageId=${id}`,
    }),
  );
  if (answer === undefined) {
    return INVALID_SETUP;
  }
  const outcome = outcomeOf(answer, context.clock(), TWILIO);
  return outcome.result === 'taken' && 'body' in answer
    ? takenAs(outcome.externalId, objectIn(answer.body))
    : outcome;
};

const TOO_LONG = {
  result: 'refused',
  errorCode: 'text_too_long',
  errorMessage: `an SMS can have at most ${TEXT_MAX} characters`,
} as const;

const INVALID_SETUP = {
  result: 'refused',
  errorCode: 'invalid_setup',
  errorMessage: 'the accountSid of the channel is not valid',
} as const;

/** How to interpret Twilio's responses. */
export const TWILIO = {
  provider: 'Twilio',
  idMember: 'sid',
  explain({ status, body }: OutboundAnswer) {
    const { code, message } = objectIn(body);
    const detail = typeof message === 'string' ? `: ${message}` : '';
    return {
      errorCode: typeof code === 'number' ? String(code) : String(status),
      errorMessage: `Twilio returned ${status}${detail}`,
    };
  },
};

/** A message may have failed already when Twilio responds. */
function takenAs(externalId: string, content: JsonObject): SendResult {
  const change = twilioChange(content['status'], content['error_code']);
  if (change?.status === 'failed') {
    const { errorCode, errorMessage } = change;
    return { result: 'refused', errorCode, errorMessage, externalId };
  }
  const { from } = content;
  return {
    result: 'taken',
    externalId,
    isUnderway: change === undefined,
    ...(typeof from === 'string' && from !== '' && { fromAddress: stripInvalidText(from) }),
  };
}
