import { judgeSlot } from '../../../src/calendars/slots/judge-slot.ts';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferedTime, Refusal, Slot } from '../../../src/calendars/schedule.ts';
import { slotsOf } from '../../../src/calendars/slots/slots-of.ts';
import { localDate } from '../../../src/calendars/slots/zone.ts';
import { asked, minutesAround } from './arbitrary.ts';
import { judgeSlowly } from './oracle.ts';

/** More runs: `SLOT_RUNS=10000 npx vitest run test/calendars/slots/slots.property.test.ts`. */
const RUNS = Number(process.env['SLOT_RUNS'] ?? 40);

const asAnswer = (judged: Slot | Refusal) =>
  typeof judged === 'string' ? judged : judged.memberIds;
function asOffered(judged: Slot | Refusal): OfferedTime | undefined {
  if (typeof judged === 'string') {
    return undefined;
  }
  const { memberIds: _, ...offered } = judged;
  return offered;
}

test('slotsOf and judgeSlot agree with the contract at every minute', () => {
  const isSame = fc.property(asked, ({ schedule, type, busy, date, now }) => {
    const length = type.duration * 60_000;
    const slots = slotsOf(schedule, type, busy, { from: date, to: date, now });
    const offered = new Map(slots.map((slot) => [slot.start, slot]));
    expect([...offered.keys()]).toEqual(slots.map(({ start }) => start).sort((a, b) => a - b));
    const differences: unknown[] = [];
    for (const start of minutesAround(date)) {
      const request = { start, end: start + length, now };
      const expected = judgeSlowly({ schedule, type, busy }, request);
      const judged = judgeSlot(schedule, type, busy, request);
      const isOfDate = localDate(schedule.timezone, start) === date;
      const isOffered = isDeepStrictEqual(offered.get(start), asOffered(judged));
      if (!isDeepStrictEqual(asAnswer(judged), expected) || (isOfDate && !isOffered)) {
        differences.push({ start, expected, judged, offered: offered.get(start) });
      }
      offered.delete(start);
    }
    expect({ differences, beyond: [...offered.keys()] }).toEqual({ differences: [], beyond: [] });
  });
  fc.assert(isSame, { numRuns: RUNS });
}, 3_600_000);
