import { expect, test } from 'vitest';
import { progressLine } from '#platform/cli/progress-bar.ts';

test.for([
  [0, 0, 0, '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0 rows  0 rows/s'],
  [45_000, 0.5, 4_000, '████████████░░░░░░░░░░░░  50 %  45,000 rows  11,250 rows/s  4 s left'],
  [100_000, 1, 10_000, '████████████████████████ 100 %  100,000 rows  10,000 rows/s'],
] as const)(
  'after %i rows it shows share, rows, rows a second and time left',
  ([rows, share, elapsedMs, line]) => {
    expect(progressLine({ rows, share, elapsedMs })).toBe(line);
  },
);

test.for([
  ['no time left in the first second, when estimates jump', 0.1, 0, 900, undefined],
  ['seconds', 0.1, 0, 1_000, '9 s left'],
  ['minutes', 0.1, 0, 60_000, '9 min left'],
  ['hours', 0.1, 0, 1_000_000, '2 h 30 min left'],
  ['an estimate from the work since the start', 0.75, 0.5, 10_000, '10 s left'],
  ['no time left without progress', 0.5, 0.5, 10_000, undefined],
] as const)('it shows %s', ([, share, firstShare, elapsedMs, left]) => {
  const line = progressLine({ rows: 10, share, firstShare, elapsedMs });
  expect(/\d[^/]* left$/.exec(line.slice(line.indexOf('/s') + 4))?.[0]).toBe(left);
});

test('it names what it counts', () => {
  const line = progressLine({ rows: 3, share: 1, elapsedMs: 3_000, unit: 'migrations' });
  expect(line).toContain('3 migrations  1 migrations/s');
});
