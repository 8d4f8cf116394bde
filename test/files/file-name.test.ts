import { expect, test } from 'vitest';
import { plainName } from '../../src/files/file-name.ts';
import { cpuMs } from '../support/cpu-time.ts';

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['. .hidden. .', 'hidden'],
  ['...', ''],
  ['a\tb\u202ec.txt', 'abc.txt'],
])('the name %j becomes %j', (given, name) => {
  expect(plainName(given)).toBe(name);
});

test('a long name of dots is read in linear time', () => {
  const given = `a${'.'.repeat(100_000)}b`;
  expect(cpuMs(() => expect(plainName(given)).toHaveLength(120))).toBeLessThan(500);
});
