import { MINUTE_MS, DAY_MS } from '#lib/duration.ts';
import type { BookableType, Schedule } from '../schedule.ts';
import { dayOf } from './local-days.ts';
import { instantAt, zoneAround } from './zone.ts';

/** The blocks that overlap this time, its end left out, are all that can matter to slots of those dates. */
export function reachOf(
  schedule: Schedule,
  type: BookableType,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly from: number; readonly until: number } {
  const firstDay = dayOf(from);
  const zone = zoneAround(schedule.timezone, firstDay * DAY_MS);
  const until =
    instantAt(zone, dayOf(to) + 1, 0) + (type.duration + schedule.bufferAfter) * MINUTE_MS;
  return { from: instantAt(zone, firstDay, 0) - schedule.bufferBefore * MINUTE_MS, until };
}
