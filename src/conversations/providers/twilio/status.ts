import type { StatusChange } from '../../messages/change-message-status.ts';
import type { OutboundAnswer } from '#core/outbound.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import { isTaken, objectIn } from '../http-outcome.ts';
import type { Failing, SendContext } from '../provider.ts';
import { callTwilio } from './client.ts';

/**
 * Fetches the status of a message that Twilio accepted. Returns undefined if the message is on its way or
 * the status cannot be fetched.
 */
export async function fetchTwilioStatus(
  setup: ChannelSetup,
  { externalId }: { readonly externalId: string },
  context: Pick<SendContext, 'tools' | 'signal'>,
): Promise<StatusChange | undefined> {
  // The SDK puts the id into the path as it is.
  const sid = encodeURIComponent(externalId);
  const answer = await callTwilio(setup, context, (client) => client.messages(sid).fetch());
  return answer === undefined || 'failure' in answer ? undefined : changeIn(answer, externalId);
}

function changeIn({ status, body }: OutboundAnswer, externalId: string): StatusChange | undefined {
  const message = objectIn(body);
  if (!isTaken(status)) {
    // A proxy may return 404, too; the code is Twilio's own.
    return status === 404 && message['code'] === NOT_FOUND ? DELETED : undefined;
  }
  return message['sid'] === externalId
    ? twilioChange(message['status'], message['error_code'])
    : undefined;
}

const NOT_FOUND = 20_404;

/** The message was deleted at Twilio: its status will never be known. */
const DELETED: StatusChange = {
  status: 'failed',
  errorCode: String(NOT_FOUND),
  errorMessage: 'Twilio accepted the message but no longer knows it',
};

type Change =
  | { readonly status: 'sent' | 'delivered' | 'read' }
  | (Failing & { readonly status: 'failed' });

/**
 * Returns what a status of Twilio means for a message; undefined while it is on its way (`accepted`,
 * `queued`, `scheduled`, `sending`, contract 5).
 */
export function twilioChange(status: unknown, errorCode: unknown): Change | undefined {
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'read':
      return { status };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return { status: 'failed', ...failureOf(status, errorCode) };
    default:
      return undefined;
  }
}

function failureOf(status: string, code: unknown): Failing {
  const isCode =
    (typeof code === 'string' || typeof code === 'number') && /^\d{4,6}$/.test(`${code}`);
  return isCode
    ? {
        errorCode: `${code}`,
        errorMessage: `Twilio: ${status}, https://www.twilio.com/docs/errors/${code}`,
      }
    : { errorCode: status, errorMessage: `Twilio: ${status}` };
}
