import type { OutboundAnswer } from '#core/outbound.ts';
import type { StatusChange } from '../../messages/change-message-status.ts';
import type { SendContext } from '../../messages/send.ts';
import type { ChannelSetup } from '../../channels/read-channel.ts';
import { basic } from './send.ts';
import { addressOf, HTTP_LIMITS, isTaken, objectIn } from '../http-outcome.ts';
import { twilioChange } from './status.ts';

const TWILIO_API = 'https://api.twilio.com';

/** What became of a message that Twilio took; nothing where it is on its way, or nobody says. */
export async function fetchTwilioStatus(
  { settings, secrets }: ChannelSetup,
  { externalId }: { readonly externalId: string },
  { tools, signal }: Pick<SendContext, 'tools' | 'signal'>,
): Promise<StatusChange | undefined> {
  const account = String(settings['accountSid']);
  const path = `/2010-04-01/Accounts/${account}/Messages/${encodeURIComponent(externalId)}.json`;
  const answer = await tools.outbound.send({
    ...HTTP_LIMITS,
    url: addressOf(settings['apiBaseUrl'], TWILIO_API) + path,
    method: 'GET',
    isRepeatable: true,
    headers: {
      accept: 'application/json',
      'user-agent': 'Frontdesk/1.0',
      authorization: basic(account, secrets['authToken'] ?? ''),
    },
    signal,
  });
  return 'failure' in answer ? undefined : changeIn(answer, externalId);
}

function changeIn({ status, body }: OutboundAnswer, externalId: string): StatusChange | undefined {
  const said = objectIn(body);
  if (!isTaken(status)) {
    // Anybody on the way may say 404; this is Twilio's own word for it.
    return status === 404 && said['code'] === UNKNOWN ? GONE : undefined;
  }
  return said['sid'] === externalId ? twilioChange(said['status'], said['error_code']) : undefined;
}

const UNKNOWN = 20_404;

/** Somebody deleted it there: nobody will ever tell. */
const GONE: StatusChange = {
  status: 'failed',
  errorCode: String(UNKNOWN),
  errorMessage: 'Twilio took the message and does not know it any more',
};
