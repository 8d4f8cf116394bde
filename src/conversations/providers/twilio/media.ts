import type { ChannelSetup } from '../../channels/channel.store.ts';

const TWILIO_HOST = /(?:^|\.)twilio\.com$/;

/**
 * Returns the headers with which media of a channel is fetched: the credentials of Twilio for its own
 * API, nothing for any other host.
 */
export function mediaHeaders(
  { provider, settings, secrets }: ChannelSetup,
  url: string,
): Readonly<Record<string, string>> {
  const { apiBaseUrl, accountSid } = settings;
  const { protocol, hostname, origin } = new URL(url);
  const isTwilio =
    typeof apiBaseUrl === 'string'
      ? origin === new URL(apiBaseUrl).origin
      : protocol === 'https:' && TWILIO_HOST.test(hostname);
  if (provider !== 'twilio' || !isTwilio) {
    return {};
  }
  const login = `${String(accountSid)}:${secrets['authToken'] ?? ''}`;
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}
