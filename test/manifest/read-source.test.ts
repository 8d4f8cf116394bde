import { setImmediate as nextCycle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { readSource, readSourceSafely } from '../../src/manifest/read-source.ts';
import { cpuMs } from '../support/cpu-time.ts';

/** The parser takes a second for it. */
const SLOW = '"'.repeat(100_000);

/** Keys of two items, the first of which is an alias in the second half. */
const LONG = `customValues:
  first: &first text
${Array.from({ length: 1_000 }, (_, at) => `  key${at}: [${at < 990 ? 'a' : '*first'}, b]\n`).join('')}`;

test('a large text is parsed in another thread, while this one continues', async () => {
  let cycles = 0;
  const counting = new AbortController();
  const parsing = readSourceSafely(newId(new Date()), SLOW).finally(() => counting.abort());
  while (!counting.signal.aborted) {
    await nextCycle();
    cycles += 1;
  }
  expect((await parsing).errors).toHaveLength(1);
  expect(cycles).toBeGreaterThan(10);
});

test('a thread finds the same values and positions', async () => {
  const paths = [
    '',
    '/customValues/key500',
    '/customValues/key999/1',
    '/customValues/none',
    '/team',
  ];
  const here = readSource(LONG);
  const there = await readSourceSafely(newId(new Date()), LONG);
  expect(there.errors).toEqual([]);
  expect(there.value).toEqual(here.value);
  expect(await there.placesOf(paths)).toEqual(await here.placesOf(paths));
});

test('positions below an alias are found without another search for its anchor', () => {
  const text = `a: &a {b: c}\nmany: [${'0,'.repeat(50_000)}]\nlink: *a\n`;
  let source = readSource('');
  const parsing = cpuMs(() => (source = readSource(text)));
  const finding = cpuMs(() => void source.placesOf(Array.from({ length: 200 }, () => '/link/b')));
  expect(source.errors).toEqual([]);
  expect(finding).toBeLessThan(parsing);
});

test('a text of very many levels is refused, also by a thread, which has a larger stack', async () => {
  const nested = `customValues: ${'['.repeat(500)}${']'.repeat(500)}\n${'# comment\n'.repeat(2_000)}`;
  for (const { errors } of [
    readSource(nested),
    await readSourceSafely(newId(new Date()), nested),
  ]) {
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/more than 420 levels|Maximum call stack size/),
    ]);
  }
});

test('a text of a few thousand characters is parsed in another thread, too', async () => {
  const busy = newId(new Date());
  const calls = Array.from({ length: 4 }, () => readSourceSafely(busy, '"'.repeat(3_000)));
  const settled = await Promise.allSettled(calls);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('a sub-account that has three large texts read waits for them, and no other does', async () => {
  const [busy, other] = [newId(new Date()), newId(new Date())];
  const calls = Array.from({ length: 4 }, () => readSourceSafely(busy, SLOW));
  const [free, ...settled] = await Promise.allSettled([readSourceSafely(other, LONG), ...calls]);
  expect(free.status).toBe('fulfilled');
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  await expect(calls[3]).rejects.toMatchObject({ details: { reason: 'manifest_busy' } });
  expect((await readSourceSafely(busy, LONG)).errors).toEqual([]);
});
