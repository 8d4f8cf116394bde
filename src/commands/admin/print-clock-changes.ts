import type { View } from '#core/work.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import {
  previewClockChanges,
  type ClockChangePreview,
} from '../../calendars/slots/clock-changes.ts';
import { timeOfDay, wallClock } from '../../calendars/slots/zone.ts';

/** What the next changes of the clocks make of a type's slots. Loaded when asked for: it brings the time zones along. */
export function printClockChanges({ now }: View, { calendar, type }: Offer) {
  const { timezone, schedule } = calendar;
  const changes = previewClockChanges(schedule, type, now.getTime());
  const told = changes.map((change) => textOf(change, timezone));
  return {
    json: { timezone, changes: changes.map((change) => jsonOf(change, timezone)) },
    text: told.join('\n') || `${timezone} does not change its clocks`,
  };
}

const jsonOf = ({ at, jump, dates }: ClockChangePreview, timezone: string) => ({
  at: new Date(at).toISOString(),
  jumpMinutes: jump,
  dates: dates.map(({ date, slots }) => ({
    date,
    slots: slots.map(({ start }) => {
      return { start: new Date(start).toISOString(), local: wallClock(timezone, start) };
    }),
  })),
});

function textOf({ at, jump, dates }: ClockChangePreview, timezone: string): string {
  const way = jump > 0 ? 'forward' : 'back';
  const head = `${wallClock(timezone, at)}: the clocks go ${way} by ${Math.abs(jump)} minutes`;
  const lines = dates.map(({ date, slots }) => {
    const times = slots.map(({ start }) => timeOfDay(timezone, start)).join(' ');
    return `  ${date}  ${times || 'closed'}`;
  });
  return [head, ...lines].join('\n');
}
