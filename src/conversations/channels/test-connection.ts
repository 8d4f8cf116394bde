import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import type { Tools } from '#core/tools.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { probeMailbox } from '../mailbox/open-imap.ts';
import { findMailServer } from '../providers/find-mail-server.ts';
import { requestAccessToken } from '../providers/gmail/send.ts';
import { addressOf, isTaken } from '../providers/http-outcome.ts';
import { META } from '../providers/meta/send.ts';
import { outcomeOfEntry, type SmtpError } from '../providers/smtp/outcome.ts';
import { connectTo } from '../providers/smtp/pool.ts';
import { callTwilio } from '../providers/twilio/client.ts';
import { TWILIO } from '../providers/twilio/send.ts';
import { readChannel, type ChannelSetup } from './channel.store.ts';

const TIMEOUT_MS = 10_000;
const READ_MAX_BYTES = 20_000;
const ATTEMPT = 1;

/** What a connection test found; `message` says why it failed, and is null if it did not. */
export interface TestedConnection {
  /** `sending`: the provider takes the account. `receiving`: the mailbox can be opened. */
  readonly part: 'sending' | 'receiving';
  readonly message: string | null;
}

/**
 * Connects to the provider of a channel with the stored account, and to its mailbox, as a worker would.
 * Nothing is sent to a contact. Returns undefined if the channel has no provider.
 */
export async function testConnection(
  view: View,
  channel: Channel,
  tools: Tools,
): Promise<readonly TestedConnection[] | undefined> {
  const setup = await readChannel(view, tools.secrets, channel);
  if (!setup) {
    return undefined;
  }
  const mailbox = setup.settings['imap'] ? [probeMailbox(view, tools)] : [];
  const [sending, ...receiving] = await Promise.all([
    failureOf(setup, tools, view.now),
    ...mailbox,
  ]);
  return [
    { part: 'sending', message: sending ?? null },
    ...receiving.map((message) => ({ part: 'receiving' as const, message: message ?? null })),
  ];
}

/** Returns why the provider does not take the account; undefined if it does. */
function failureOf(setup: ChannelSetup, tools: Tools, now: Date): Promise<string | undefined> {
  switch (setup.provider) {
    case 'smtp':
      return failureOfSmtp(setup, tools);
    case 'gmail':
      return failureOfGmail(setup, tools, now);
    case 'twilio':
      return failureOfTwilio(setup, tools);
    case 'meta':
      return failureOfMeta(setup, tools);
    default:
      return failureOfBridge(setup, tools);
  }
}

/** Logs in to the mail server of a sub-account as a worker would. Returns the reason of a failure. */
export async function probeSending(
  view: View,
  { secrets, ...allow }: Pick<Tools, 'secrets' | 'outboundAllow'>,
): Promise<string | undefined> {
  const setup = await readChannel(view, secrets, 'email');
  return setup?.provider === 'smtp' ? failureOfSmtp(setup, allow) : undefined;
}

async function failureOfSmtp(
  setup: ChannelSetup,
  { outboundAllow }: Pick<Tools, 'outboundAllow'>,
): Promise<string | undefined> {
  const found = await findMailServer(String(setup.settings['host']), outboundAllow, ATTEMPT);
  if ('result' in found) {
    return found.errorMessage;
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    (await connectTo(setup, found.address, signal)).close();
    return undefined;
  } catch (error) {
    const outcome = outcomeOfEntry(error as SmtpError);
    return signal.aborted || outcome.result === 'sent' ? LATE : outcome.errorMessage;
  }
}

const LATE = `no response within ${TIMEOUT_MS / 1_000} s`;

async function failureOfGmail(
  setup: ChannelSetup,
  tools: Tools,
  now: Date,
): Promise<string | undefined> {
  const granted = await requestAccessToken(setup, { tools, clock: () => now });
  return 'errorMessage' in granted ? granted.errorMessage : undefined;
}

async function failureOfTwilio(setup: ChannelSetup, tools: Tools): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { accountSid } = setup.settings;
  const answer = await callTwilio(setup, { tools, signal }, (client) =>
    client.api.v2010.accounts(String(accountSid)).fetch(),
  );
  return answer === undefined
    ? 'the accountSid of the channel is not valid'
    : refusalIn(answer, TWILIO);
}

async function failureOfMeta(
  { subAccountId, settings, secrets }: ChannelSetup,
  tools: Tools,
): Promise<string | undefined> {
  const page = `${addressOf(settings['apiBaseUrl'], META.api)}/${String(settings['pageId'])}`;
  const answer = await get({ subAccountId, url: `${page}?fields=id` }, tools, {
    authorization: `Bearer ${secrets['accessToken'] ?? ''}`,
  });
  return refusalIn(answer, META);
}

/** A bridge has no request that does nothing: any response shows that it is reached. */
async function failureOfBridge(
  { subAccountId, settings }: ChannelSetup,
  tools: Tools,
): Promise<string | undefined> {
  const answer = await get({ subAccountId, url: String(settings['apiBaseUrl']) }, tools, {});
  return 'failure' in answer ? answer.failure : undefined;
}

const get = (
  peer: Pick<OutboundRequest, 'subAccountId' | 'url'>,
  { outbound }: Tools,
  headers: Readonly<Record<string, string>>,
) =>
  outbound.send({
    ...peer,
    method: 'GET',
    isRepeatable: true,
    headers: { 'user-agent': 'Frontdesk/1.0', ...headers },
    timeoutMs: TIMEOUT_MS,
    readMaxBytes: READ_MAX_BYTES,
  });

interface Explaining {
  readonly explain: (answer: OutboundAnswer) => { readonly errorMessage: string };
}

function refusalIn(
  answer: OutboundAnswer | OutboundFailure,
  { explain }: Explaining,
): string | undefined {
  if ('failure' in answer) {
    return answer.failure;
  }
  return isTaken(answer.status) ? undefined : explain(answer).errorMessage;
}
