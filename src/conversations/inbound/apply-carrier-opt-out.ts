import type { Work } from '#core/work.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';
import type { StatusChange } from '../messages/change-message-status.ts';
import type { Channel } from '../../contacts/channels.ts';

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
