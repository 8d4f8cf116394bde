import { expect, test } from 'vitest';
import { patternSays } from '#core/schema/describe-error.ts';
import { endpoints } from '#registry/endpoints.ts';
import { sections } from '#registry/sections.ts';

/** Returns the patterns inside a schema that no sentence explains. */
function unexplained(schema: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) {
    return [];
  }
  seen.add(schema);
  const { pattern } = schema as { pattern?: unknown };
  const own = typeof pattern === 'string' && patternSays(schema) === undefined ? [pattern] : [];
  return [...own, ...Object.values(schema).flatMap((part) => unexplained(part, seen))];
}

test('every pattern that a caller can miss has a sentence', () => {
  const bodies = endpoints.flatMap(({ body, query }) => [body, query]);
  const entries = sections.map(({ schema }) => schema);
  expect(bodies.length + entries.length).toBeGreaterThan(100);
  expect(unexplained([bodies, entries])).toEqual([]);
});
