import {
  carrierOf,
  readChannel,
  type ChannelSetup,
} from '../../conversations/channels/channel.store.ts';
import { findMailServer } from '../../conversations/providers/find-mail-server.ts';
import { CONNECTIONS, newPool, poolOf } from '../../conversations/providers/smtp/pool.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Outbound } from '#core/outbound.ts';
import type { View } from '#core/work.ts';
import { bridgeSender } from './bridge-sender.ts';
import {
  compileMail,
  envelopeOf,
  senderOfChannel,
  type Addressee,
  type CampaignWording,
} from '../compose/compile-mail.ts';
import type { SendOutcome } from './outcome.ts';

/** Sends the campaign mails of one sub-account. */
export interface CampaignProvider {
  /** The most mails that are sent at the same time. */
  readonly connections: number;
  readonly ratePerSecond: number | null;
  /** Prepares a campaign. Returns a function that sends to one recipient and never rejects. */
  readonly compile: (campaign: CampaignWording) => (to: Addressee) => Promise<SendOutcome>;
  /** Closes connections that are not shared. */
  readonly close: () => void;
}

/** Why no mail can be sent: `again` is temporary, `stuck` needs an admin. */
export interface NoProvider {
  readonly result: 'again' | 'stuck';
  readonly errorCode: string;
  readonly errorMessage: string;
}

interface ProviderContext {
  readonly secrets: Secrets;
  readonly outbound: Pick<Outbound, 'send'>;
  readonly outboundAllow: readonly string[];
  readonly baseUrl: string;
  readonly clock: () => Date;
  /** A preview uses its own connections: closing them does not affect campaigns. */
  readonly isPreview?: boolean;
}

const ATTEMPT = 1;

/** Returns the provider of the sub-account's campaigns, or the reason why there is none. */
export async function openCampaignProvider(
  view: View,
  context: ProviderContext,
): Promise<CampaignProvider | NoProvider> {
  if ((await carrierOf(view, 'email')) === 'sandbox') {
    return SANDBOX;
  }
  const setup = await readChannel(view, context.secrets, 'email');
  if (setup?.provider === 'smtp') {
    return bySmtp(setup, context);
  }
  return setup?.provider === 'http' ? byBridge(setup, context) : NOT_CONFIGURED;
}

export const isProvider = (found: CampaignProvider | NoProvider): found is CampaignProvider =>
  'compile' in found;

/** A sandbox sends nothing: the recipients record what it would have sent. */
const SANDBOX: CampaignProvider = {
  connections: CONNECTIONS.campaigns,
  ratePerSecond: null,
  compile: () => () => Promise.resolve({ result: 'sent' }),
  close: () => undefined,
};

const NOT_CONFIGURED: NoProvider = {
  result: 'stuck',
  errorCode: 'channel_not_configured',
  errorMessage: 'campaigns need an email channel with the provider smtp or http',
};

const rateOf = ({ settings }: ChannelSetup): number | null => {
  const rate = settings['ratePerSecond'];
  return typeof rate === 'number' ? rate : null;
};

async function bySmtp(
  setup: ChannelSetup,
  { outboundAllow, clock, isPreview = false }: ProviderContext,
): Promise<CampaignProvider | NoProvider> {
  const found = await findMailServer(String(setup.settings['host']), outboundAllow, ATTEMPT);
  if ('result' in found) {
    return { ...found, result: found.result === 'again' ? 'again' : 'stuck' };
  }
  const pool = isPreview
    ? newPool(setup, found.address, 'campaigns')
    : poolOf(setup, found.address, 'campaigns');
  return {
    connections: CONNECTIONS.campaigns,
    ratePerSecond: rateOf(setup),
    compile(campaign) {
      const sender = senderOfChannel(setup, clock());
      const compiled = compileMail(campaign, sender);
      return (to) => pool.send(envelopeOf(sender, to.id, to.email), compiled(to));
    },
    close: () => (isPreview ? pool.close() : undefined),
  };
}

const byBridge = (setup: ChannelSetup, context: ProviderContext): CampaignProvider => ({
  connections: CONNECTIONS.campaigns,
  ratePerSecond: rateOf(setup),
  compile: (campaign) => bridgeSender(setup, campaign, context),
  close: () => undefined,
});
