import { expect, test } from 'vitest';
import { progressLine } from '#platform/cli/progress-bar.ts';

test.for([
  [0, 0, 0, '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0 rows  0 rows/s'],
  [45_000, 0.5, 4_000, '████████████░░░░░░░░░░░░  50 %  45,000 rows  11,250 rows/s'],
  [100_000, 1, 10_000, '████████████████████████ 100 %  100,000 rows  10,000 rows/s'],
] as const)('after %i rows it shows share, rows and rows a second', ([rows, share, ms, line]) => {
  expect(progressLine(rows, share, ms)).toBe(line);
});
