import type { Work } from '#kit/work.ts';
import { suppressAddress } from '../contacts/suppress-address.ts';
import { unsuppressAddress } from '../contacts/unsuppress-address.ts';

const OUT = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const IN = new Set(['START', 'YES', 'UNSTOP']);

/** A message that is one of these words, in any case, closes the phone to sms or opens it (contract 5). */
export async function heedSmsWord(work: Work, phone: string, bodyText: string): Promise<void> {
  const word = bodyText.trim().toUpperCase();
  if (OUT.has(word)) {
    await suppressAddress(work, { channel: 'sms', address: phone, reason: 'stop' });
  } else if (IN.has(word)) {
    await unsuppressAddress(work, { channel: 'sms', address: phone });
  }
}
