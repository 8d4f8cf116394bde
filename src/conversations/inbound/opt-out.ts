import type { MessageStatus } from '../messages/message.schema.ts';
import type { Work } from '#core/work.ts';
import { suppressAddress, unsuppressAddress } from '../../contacts/consent/suppressions.ts';
import type { InboundMessage } from './callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';

/** A status that a provider reports. */
export interface StatusChange {
  readonly status: MessageStatus;
  readonly externalId?: string;
  /** The sender's address, if the provider chose it. */
  readonly fromAddress?: string | null;
  readonly errorCode?: string | null;
  readonly errorMessage?: string | null;
}

const OUT = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const IN = new Set(['START', 'YES', 'UNSTOP']);

/**
 * Opts a phone out of sms, or in again, if the message is one of the keywords, in any case (contract 5),
 * or if the provider handled it as such. An opt-in lifts only what STOP set: YES is also a reply to a
 * reminder.
 */
export async function applyOptOutKeyword(
  work: Work,
  { from: address, bodyText, consent }: InboundMessage,
): Promise<void> {
  const word = bodyText.trim().toUpperCase();
  if (consent === 'out' || OUT.has(word)) {
    await suppressAddress(work, { channel: 'sms', address, reason: 'stop' });
  } else if (consent === 'in' || IN.has(word)) {
    await unsuppressAddress(work, { channel: 'sms', address, reason: 'stop' });
  }
}

/** Twilio's error code for a phone that opted out at its carrier. */
const STOPPED = '21610';

/** Suppresses a phone that opted out at its carrier. */
export async function applyCarrierOptOut(
  work: Work,
  { channel, toAddress }: { readonly channel: Channel; readonly toAddress: string | null },
  { status, errorCode }: StatusChange,
): Promise<void> {
  if (channel === 'sms' && status === 'failed' && errorCode === STOPPED && toAddress !== null) {
    await suppressAddress(work, { channel, address: toAddress, reason: 'stop' });
  }
}
