import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { idOfLine } from '../../src/console/imports/run-import.ts';

test('the ids of lines follow the order of the file', () => {
  const importId = newId(new Date());
  const ids = [2, 3, 4_095, 4_096, 4_097, 1_000_000].map((line) => idOfLine(importId, line));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  expect(idOfLine(importId, 2)).toBe(ids[0]);
  expect(idOfLine(newId(new Date()), 2)).not.toBe(ids[0]);
});
