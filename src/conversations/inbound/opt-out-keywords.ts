import type { Work } from '#core/work.ts';
import { suppressAddress, unsuppressAddress } from '../../contacts/consent/suppressions.ts';
import type { InboundMessage } from './callback.schema.ts';

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
