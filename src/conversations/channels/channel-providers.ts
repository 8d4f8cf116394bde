import type { ChannelEntry, Provider } from './channel-entry.ts';
import type { SecretMember } from './channel-secrets.ts';
import type { Channel } from '../../contacts/channels.ts';

interface Kind {
  /** Any channel where it is not said. */
  readonly carries?: readonly Channel[];
  /** What it must be told. */
  readonly must: readonly (keyof ChannelEntry)[];
  /** Secrets that it cannot do without. A manifest may leave out what is stored. */
  readonly needs: readonly SecretMember[];
  /** What it may be told besides. */
  readonly may: readonly (keyof ChannelEntry)[];
}

/** Who can carry messages, and what each of them is told by a manifest. */
export const PROVIDERS: Readonly<Record<Provider, Kind>> = {
  smtp: {
    carries: ['email'],
    must: ['host', 'from'],
    needs: [],
    may: ['port', 'secure', 'user', 'password', 'replyTo', 'ratePerSecond', 'imap', 'secret'],
  },
  gmail: {
    carries: ['gmail'],
    must: ['user', 'clientId'],
    needs: ['clientSecret', 'refreshToken'],
    may: ['from', 'replyTo', 'apiBaseUrl', 'tokenUrl'],
  },
  twilio: {
    carries: ['sms'],
    must: ['accountSid', 'from'],
    needs: ['authToken'],
    may: ['apiBaseUrl'],
  },
  meta: {
    carries: ['messenger', 'instagram'],
    must: ['pageId'],
    needs: ['accessToken', 'appSecret', 'verifyToken'],
    may: ['instagramId', 'apiBaseUrl'],
  },
  http: { must: ['apiBaseUrl'], needs: ['secret'], may: ['from', 'ratePerSecond'] },
};

export function takes(provider: Provider, member: string): boolean {
  const { must, needs, may } = PROVIDERS[provider];
  return member === 'provider' || [...must, ...needs, ...may].some((one) => one === member);
}
