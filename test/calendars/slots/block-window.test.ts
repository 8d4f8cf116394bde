import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockWindow, slotsOf } from '../../../src/calendars/slots/slots-of.ts';
import { asked } from './arbitrary.ts';

test('blocks outside the window of some dates do not change their slots', () => {
  const isSame = fc.property(asked, ({ schedule, type, taken, date, now }) => {
    const range = { from: date, to: date };
    const window = blockWindow(schedule, type, range);
    const blocks = taken.blocks.filter(
      ({ from, until }) => from < window.until && until > window.from,
    );
    const asBefore = slotsOf(schedule, type, taken, { ...range, now });
    expect(slotsOf(schedule, type, { ...taken, blocks }, { ...range, now })).toEqual(asBefore);
  });
  fc.assert(isSame, { numRuns: 500 });
});
