import { expect, test } from 'vitest';
import { progressPoints } from '../../web/console/campaigns/progress-points.ts';

const START = 1_795_720_625_000;
const NOW = START + 3_600_000;
const counts = [{ at: START + 400, sent: 24 }];

test('a campaign that was over at once stays at its count for a minute', () => {
  expect(progressPoints({ startedAt: START, counts, isOver: true, now: NOW })).toEqual([
    { at: START, value: 0 },
    { at: START + 400, value: 24 },
    { at: START + 60_000, value: 24 },
  ]);
});

test.for([
  ['now', START + 5_000, START + 5_000],
  ['the last mail, if the clock of the browser is slow', START - 5_000, START + 400],
] as const)('within its first minute, it ends at %s', ([, now, end]) => {
  const points = progressPoints({ startedAt: START, counts, isOver: true, now });
  expect(points.at(-1)).toEqual({ at: end, value: 24 });
});

test('nothing is said about mails that may still be sent', () => {
  expect(progressPoints({ startedAt: START, counts, isOver: false, now: NOW })).toHaveLength(2);
});

test('a longer campaign ends with its last mail', () => {
  const later = [{ at: START + 90_000, sent: 3 }];
  const all = progressPoints({ startedAt: START, counts: later, isOver: true, now: NOW });
  expect(all.at(-1)).toEqual({
    at: START + 90_000,
    value: 3,
  });
});
