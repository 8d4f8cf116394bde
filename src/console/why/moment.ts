import type { View } from '#core/work.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';

/** Returns a moment as sentences name it: `Mon, 2 Nov 2026, 09:00 GMT+1`. */
export type Moment = (at: Date | string) => string;

/** Sentences are in English, in the sub-account's time zone. */
const LOCALE = 'en-GB';

export async function momentIn(view: View): Promise<Moment> {
  const zone = await zoneOfSubAccount(view);
  return (at) => slotLabel(new Date(at).getTime(), zone, LOCALE, true);
}
