import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Refusal, Slot } from '../../../src/calendars/schedule.ts';
import { judgeSlot, slotsOf } from '../../../src/calendars/slots/slots-of.ts';
import { localDate } from '../../../src/calendars/slots/zone.ts';
import { asked, minutesAround } from './arbitrary.ts';
import { judgeSlowly } from './oracle.ts';

/** More by hand: `SLOT_RUNS=10000 npx vitest run test/calendars/slots/slots.property.test.ts`. */
const RUNS = Number(process.env['SLOT_RUNS'] ?? 40);

const asAnswer = (judged: Slot | Refusal) =>
  typeof judged === 'string' ? judged : judged.memberIds;
const asSlot = (judged: Slot | Refusal) => (typeof judged === 'string' ? undefined : judged);

test('what is offered is what is accepted, and both are what the contract says, at every minute', () => {
  const isSame = fc.property(asked, ({ schedule, type, taken, date, now }) => {
    const length = type.duration * 60_000;
    const slots = slotsOf(schedule, type, taken, { from: date, to: date, now });
    const offered = new Map(slots.map((slot) => [slot.start, slot]));
    expect([...offered.keys()]).toEqual(slots.map(({ start }) => start).sort((a, b) => a - b));
    const strange: unknown[] = [];
    for (const start of minutesAround(date)) {
      const wish = { start, end: start + length, now };
      const told = judgeSlowly({ schedule, type, taken }, wish);
      const judged = judgeSlot(schedule, type, taken, wish);
      const isOfDate = localDate(schedule.timezone, start) === date;
      const isOffered = isDeepStrictEqual(offered.get(start), asSlot(judged));
      if (!isDeepStrictEqual(asAnswer(judged), told) || (isOfDate && !isOffered)) {
        strange.push({ start, told, judged, offered: offered.get(start) });
      }
      offered.delete(start);
    }
    expect({ strange, beyond: [...offered.keys()] }).toEqual({ strange: [], beyond: [] });
  });
  fc.assert(isSame, { numRuns: RUNS });
}, 3_600_000);
