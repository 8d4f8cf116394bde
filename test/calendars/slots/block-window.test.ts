import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockWindow, slotsOf } from '../../../src/calendars/slots/slots-of.ts';
import { asked } from './arbitrary.ts';

test('blocks outside the window of some dates do not change their slots', () => {
  const isSame = fc.property(asked, ({ schedule, type, busy, date, now }) => {
    const range = { from: date, to: date };
    const window = blockWindow(schedule, type, range);
    const blocks = busy.blocks.filter(
      ({ from, until }) => from < window.until && until > window.from,
    );
    const asBefore = slotsOf(schedule, type, busy, { ...range, now });
    expect(slotsOf(schedule, type, { ...busy, blocks }, { ...range, now })).toEqual(asBefore);
  });
  fc.assert(isSame, { numRuns: 500 });
});
