import { MINUTE_MS, DAY_MS } from '#lib/duration.ts';
import type { Refusal, Schedule } from '../schedule.ts';

/** The end of the year 9999, beyond which dates have no four digits. */
const LAST_START = Date.UTC(9999, 11, 30);

/** Why a start is too early or too late to be booked now. */
export function timeRefusal(
  { minimumNotice, maximumAdvance }: Schedule,
  start: number,
  now: number,
): Refusal | undefined {
  if (start < now) {
    return 'slot_in_past';
  }
  if (start < now + minimumNotice * MINUTE_MS) {
    return 'too_soon';
  }
  const last = maximumAdvance === null ? LAST_START : now + maximumAdvance * DAY_MS;
  return start > Math.min(last, LAST_START) ? 'too_far_ahead' : undefined;
}
