import { describe, expect, test } from 'vitest';
import { parseDuration } from '#lib/duration.ts';

describe('parseDuration', () => {
  test.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '5', 's', '0s', '-1s', '1.5h', '5 m', '1w', '5M', '1h30m'])(
    '%j is no duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});
