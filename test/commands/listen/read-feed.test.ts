import { expect, test } from 'vitest';
import { reportAway } from '../../../src/commands/listen/read-feed.ts';

const URL = 'http://localhost:9';
const WHY = 'connect ECONNREFUSED';

function start(retry: boolean) {
  const lines: string[] = [];
  let now = 0;
  const report = reportAway({
    url: URL,
    retry,
    print: (line) => lines.push(line),
    now: () => now,
  });
  return {
    lines,
    at(seconds: number, why?: string) {
      now = seconds * 1_000;
      report(why);
    },
  };
}

test('an API that is unreachable is reported at once, then every 10 s with the attempts', () => {
  const { lines, at } = start(false);
  for (let second = 0; second < 25; second += 1) {
    at(second, WHY);
  }
  expect(lines).toEqual([
    `cannot read events from ${URL}: ${WHY}; trying again`,
    `still cannot read events from ${URL} after 10 s: ${WHY}; attempt 11`,
    `still cannot read events from ${URL} after 20 s: ${WHY}; attempt 21`,
  ]);
});

test('without --retry, an API that is not reached within a minute is given up', () => {
  const given = start(false);
  given.at(0, WHY);
  expect(() => given.at(60, WHY)).toThrow(
    `could not read events from ${URL} for 60 s: ${WHY}; check --url`,
  );
  const patient = start(true);
  patient.at(0, WHY);
  patient.at(3_600, WHY);
  expect(patient.lines.at(-1)).toContain('after 3600 s');
});

test('a reconnect is reported once, and an API that was reached is never given up', () => {
  const { lines, at } = start(false);
  at(0, WHY);
  at(50, WHY);
  at(55);
  at(56);
  at(100, WHY);
  at(500, WHY);
  expect(lines.at(-1)).toContain('after 400 s');
  expect(lines.filter((line) => line.includes('again, after'))).toEqual([
    `reading events from ${URL} again, after 55 s`,
  ]);
});
