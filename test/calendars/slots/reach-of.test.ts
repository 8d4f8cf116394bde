import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reachOf } from '../../../src/calendars/slots/reach-of.ts';
import { slotsOf } from '../../../src/calendars/slots/slots-of.ts';
import { asked } from './arbitrary.ts';

test('blocks beyond the reach of some dates change nothing on them', () => {
  const isSame = fc.property(asked, ({ schedule, type, taken, date, now }) => {
    const range = { from: date, to: date };
    const reach = reachOf(schedule, type, range);
    const blocks = taken.blocks.filter(
      ({ from, until }) => from < reach.until && until > reach.from,
    );
    const asBefore = slotsOf(schedule, type, taken, { ...range, now });
    expect(slotsOf(schedule, type, { ...taken, blocks }, { ...range, now })).toEqual(asBefore);
  });
  fc.assert(isSame, { numRuns: 500 });
});
