import type { View } from '#core/work.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import type { WhyLanguage } from './language.ts';

/** Returns a moment as sentences name it: `Mon, 2 Nov 2026, 09:00 GMT+1`. */
export type Moment = (at: Date | string) => string;

/** Returns the function that names moments in the sub-account's time zone. */
export async function momentIn(view: View, { locale }: WhyLanguage): Promise<Moment> {
  const zone = await zoneOfSubAccount(view);
  return (at) => slotLabel(new Date(at).getTime(), zone, locale, true);
}

const UNITS = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Returns minutes as `2 hours`, in the largest unit that is whole. */
export function lengthOf(minutes: number, { locale }: WhyLanguage): string {
  const [unit, size] = UNITS.find(([, one]) => minutes % one === 0) ?? UNITS[2];
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(locale, style).format(minutes / size);
}
