import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isOptedOutOf } from '../../contacts/consent/suppressions.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { automaticRefusal } from '../../conversations/messages/automatic-limit.ts';

/** The result of a `send` step that sends nothing. */
export interface Unsent {
  readonly outcome: 'skipped' | 'failed';
  readonly detail: string;
}

/** The console translates this text (`run-steps.tsx`). */
export const OPTED_OUT = 'the contact opted out of this channel, or has do-not-disturb set';

/** Returns why a `send` step sends nothing to a contact; undefined if it sends. */
export async function checkSend(
  view: View,
  contactId: string,
  channel: Channel,
): Promise<Unsent | undefined> {
  if ((await carrierOf(view, channel)) === undefined) {
    return { outcome: 'failed', detail: `no provider is set up for ${channel}` };
  }
  if (await isOptedOutOf(view, contactId, channel)) {
    return { outcome: 'skipped', detail: OPTED_OUT };
  }
  const refusal = await automaticRefusal(view, contactId, channel);
  return refusal === undefined ? undefined : { outcome: 'failed', detail: refusal };
}
