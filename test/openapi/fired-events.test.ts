import { expect, test } from 'vitest';
import { endpoints } from '#registry/endpoints.ts';
import { events } from '#registry/events.ts';

const NAMES = new Set(events.map(({ name }) => name));

/** Returns the names in code of the sentences that say which events an endpoint fires. */
const firedIn = (description: string): string[] =>
  description
    .split(/(?<=\.)\s+/)
    .filter((sentence) => /\bfires?\b/i.test(sentence))
    .flatMap((sentence) =>
      [...sentence.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].flatMap(([, name]) => name ?? []),
    );

const fired = endpoints.flatMap(({ id, description = '' }) =>
  firedIn(description).map((name) => ({ id, name })),
);

test('every event that the description of an endpoint says it fires can be subscribed to', () => {
  expect(fired.length).toBeGreaterThan(20);
  expect(fired.filter(({ name }) => !NAMES.has(name))).toEqual([]);
});

test('the sentences of a description are searched for events', () => {
  expect(firedIn('See `meta.cursor`. Fires `a.b`, or `c.d_e`. Nothing `else.fires`?')).toEqual([
    'a.b',
    'c.d_e',
    'else.fires',
  ]);
});
