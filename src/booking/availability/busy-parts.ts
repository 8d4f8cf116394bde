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
 * Yields the busy times of some dates, in order. Dates with more than `BLOCKS_MAX` blocks are halved; a
 * single date is read whole.
 */
export async function* busyParts(
  { rows, subAccountId }: Pick<View, 'rows' | 'subAccountId'>,
  { dates, ...query }: BusyParts,
): AsyncGenerator<BusyPart> {
  const { schedule, type } = query;
  const ahead = [dates];
  for (let part = ahead.pop(); part; part = ahead.pop()) {
    const window = blockWindow(schedule, type, part);
    const days = daysOf(schedule.timezone, part);
    const load = part.from === part.to ? loadBusyTimes : loadFewBusyTimes;
    const bounded = { ...query, window, days, blocksMax: BLOCKS_MAX };
    const busy = await load(rows, subAccountId, bounded);
    if (busy) {
      yield { dates: part, busy };
    } else {
      ahead.push(...halvesOf(part).toReversed());
    }
  }
}

function halvesOf({ from, to }: Dates): readonly Dates[] {
  const middle = Math.floor((dayOf(from) + dayOf(to)) / 2);
  return [
    { from, to: dateOf(middle) },
    { from: dateOf(middle + 1), to },
  ];
}
