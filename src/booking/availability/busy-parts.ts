import type { View } from '#core/work.ts';
import type { BusyTimes } from '../../calendars/schedule.ts';
import { blockWindow, daysOf } from '../../calendars/slots/slots-of.ts';
import { dateOf, dayOf } from '../../calendars/slots/zone.ts';
import { loadBusyTimes, loadFewBusyTimes, type BusyTimesQuery } from './busy-times.ts';

/** What is read and indexed at once: tens of milliseconds, in which no other request is served. */
const BLOCKS_MAX = 5_000;

/** Local dates, the last included. */
interface Dates {
  readonly from: string;
  readonly to: string;
}

interface BusyParts extends Pick<BusyTimesQuery, 'calendarId' | 'schedule' | 'type' | 'except'> {
  readonly dates: Dates;
}

interface BusyPart {
  readonly dates: Dates;
  readonly busy: BusyTimes;
}

/**
 * Yields the busy times of some dates, in order. Dates with more than `BLOCKS_MAX` blocks are read in parts:
 * a single date, then as many dates as fit if they are like it.
 */
export async function* busyParts(
  { rows, subAccountId }: Pick<View, 'rows' | 'subAccountId'>,
  { dates, ...query }: BusyParts,
): AsyncGenerator<BusyPart> {
  const { schedule, type } = query;
  const end = dayOf(dates.to) + 1;
  let length = end - dayOf(dates.from);
  for (let day = dayOf(dates.from); day < end;) {
    const next = Math.min(day + length, end);
    const part = { from: dateOf(day), to: dateOf(next - 1) };
    const window = blockWindow(schedule, type, part);
    const days = daysOf(schedule.timezone, part);
    const load = length === 1 ? loadBusyTimes : loadFewBusyTimes;
    const bounded = { ...query, window, days, blocksMax: BLOCKS_MAX };
    const busy = await load(rows, subAccountId, bounded);
    if (busy) {
      yield { dates: part, busy };
      day = next;
    }
    length = busy ? Math.max(1, Math.floor((length * BLOCKS_MAX) / (busy.blocks.length + 1))) : 1;
  }
}
