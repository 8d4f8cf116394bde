import type { Work } from '#core/work.ts';
import { suppressAddress, unsuppressAddress } from '../../contacts/consent/suppressions.ts';
import type { InboundMessage } from './callback.schema.ts';
import type { StatusChange } from '../messages/change-message-status.ts';
import type { Channel } from '../../contacts/channels.ts';

const OUT = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const IN = new Set(['START', 'YES', 'UNSTOP']);

/**
 * A message that is one of these words, in any case, opts the phone out of sms, or in again (contract
 * 5); so does what the provider reports as such. Opting in lifts what STOP set and nothing else: YES
 * is also an answer to a reminder.
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

/** Twilio's word for a phone that told its carrier to stop. */
const STOPPED = '21610';

/** A phone whose owner opted out behind our back is closed to sms here too. */
export async function applyCarrierOptOut(
  work: Work,
  { channel, toAddress }: { readonly channel: Channel; readonly toAddress: string | null },
  { status, errorCode }: StatusChange,
): Promise<void> {
  if (channel === 'sms' && status === 'failed' && errorCode === STOPPED && toAddress !== null) {
    await suppressAddress(work, { channel, address: toAddress, reason: 'stop' });
  }
}
