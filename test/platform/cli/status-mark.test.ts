import { afterEach, expect, test, vi } from 'vitest';
import { statusMark } from '#platform/cli/status-mark.ts';

afterEach(() => void vi.unstubAllEnvs());

const stream = (isTTY: boolean) => ({ isTTY }) as NodeJS.WriteStream;

test.each([
  ['ok', '✓', 32],
  ['warn', '⚠', 33],
  ['fail', '✗', 31],
] as const)('%s is %s, coloured on a terminal only', (status, mark, colour) => {
  vi.stubEnv('NO_COLOR', '');
  expect(statusMark(status, stream(false))).toBe(mark);
  expect(statusMark(status, stream(true))).toBe(`\u001B[${colour}m${mark}\u001B[39m`);
});

test('NO_COLOR turns colours off', () => {
  vi.stubEnv('NO_COLOR', '1');
  expect(statusMark('fail', stream(true))).toBe('✗');
});
