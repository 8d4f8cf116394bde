import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '#lib/duration.ts';
const DATE_FROM_MS = 30 * DAY_MS;

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
] as const;

/** `3 min ago`, `in 2 h`, `just now`; a date where it is 30 days or more away. */
export function relativeTime(at: Date, now: Date): string {
  const aheadMs = at.getTime() - now.getTime();
  const awayMs = Math.abs(aheadMs);
  if (awayMs >= DATE_FROM_MS) {
    return at.toISOString().slice(0, 10);
  }
  const unit = UNITS.find(([ms]) => awayMs >= ms);
  if (!unit) {
    return 'just now';
  }
  const [ms, name] = unit;
  const text = `${Math.floor(awayMs / ms)} ${name}`;
  return aheadMs > 0 ? `in ${text}` : `${text} ago`;
}
