import type { OutboundAnswer } from '#core/outbound.ts';
import { idOf, isTaken, namelessAnswer, notTaken, objectIn, unanswered } from '../http-outcome.ts';
import { stripInvalidText, type JsonObject } from '../json-access.ts';
import type { Provider, SendResult } from '../provider.ts';
import { callTwilio } from './client.ts';
import { twilioChange } from './status.ts';

/** Twilio's limit: ten segments. */
const TEXT_MAX = 1_600;

/**
 * Sends the message as an SMS. The status callback names the message, so that a message which Twilio
 * accepted is known even if Twilio's response was lost.
 */
export const sendViaTwilio: Provider = async (setup, message, context) => {
  const { id, toAddress, bodyText } = message;
  if ((bodyText ?? '').length > TEXT_MAX) {
    return TOO_LONG;
  }
  const from = String(setup.settings['from']);
  const answer = await callTwilio(setup, context, (client) =>
    client.messages.create({
      to: toAddress ?? '',
      body: bodyText ?? '',
      ...(from.startsWith('MG') ? { messagingServiceSid: from } : { from }),
      statusCallback: `${context.callbackUrl}/status?messageId=${id}`,
    }),
  );
  if (answer === undefined) {
    return INVALID_SETUP;
  }
  return 'failure' in answer ? unanswered(answer) : outcomeOf(answer, context.clock());
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

function outcomeOf(answer: OutboundAnswer, now: Date): SendResult {
  const { status, body } = answer;
  const content = objectIn(body);
  if (!isTaken(status)) {
    const { code, message } = content;
    const reason = typeof message === 'string' ? `: ${message}` : '';
    return notTaken(answer, now, {
      errorCode: typeof code === 'number' ? String(code) : String(status),
      errorMessage: `Twilio returned ${status}${reason}`,
    });
  }
  const externalId = idOf(content['sid']);
  return externalId === undefined ? namelessAnswer('Twilio', 'sid') : takenAs(externalId, content);
}

/** A message may have failed already when Twilio responds. */
function takenAs(externalId: string, content: JsonObject): SendResult {
  const change = twilioChange(content['status'], content['error_code']);
  if (change?.status === 'failed') {
    const { errorCode, errorMessage } = change;
    return { result: 'refused', errorCode, errorMessage };
  }
  const { from } = content;
  return {
    result: 'taken',
    externalId,
    isUnderway: change === undefined,
    ...(typeof from === 'string' && from !== '' && { fromAddress: stripInvalidText(from) }),
  };
}
