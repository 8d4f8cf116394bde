import { expect, test } from 'vitest';
import { progressPoints } from '../../web/console/campaigns/progress-points.ts';

const START = 1_795_720_625_000;
const counts = [{ at: START + 400, sent: 24 }];

test('a campaign that was over at once stays at its count for a minute', () => {
  expect(progressPoints({ startedAt: START, counts, isOver: true })).toEqual([
    { at: START, value: 0 },
    { at: START + 400, value: 24 },
    { at: START + 60_000, value: 24 },
  ]);
});

test('nothing is said about mails that may still be sent', () => {
  expect(progressPoints({ startedAt: START, counts, isOver: false })).toHaveLength(2);
});

test('a longer campaign ends with its last mail', () => {
  const later = [{ at: START + 90_000, sent: 3 }];
  expect(progressPoints({ startedAt: START, counts: later, isOver: true }).at(-1)).toEqual({
    at: START + 90_000,
    value: 3,
  });
});
