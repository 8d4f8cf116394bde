import { expect, test } from 'vitest';
import { partitionConflicts } from '../../../src/contacts/import/import-rows.ts';

const marksOf = (row: string) => row.split('');

test.for([
  ['rows without common marks go together', ['a', 'b', 'c'], ['a', 'b', 'c'], []],
  ['the second row with the same mark waits', ['a', 'b', 'a'], ['a', 'b'], ['a']],
  ['a row that shares a mark with a waiting row waits, too', ['a', 'ab', 'b'], ['a'], ['ab', 'b']],
  ['a row that repeats its own key is not separated', ['aa'], ['aa'], []],
  ['rows without marks never wait', ['', '', ''], ['', '', ''], []],
] as const)('%s', ([, rows, first, later]) => {
  expect(partitionConflicts(rows, marksOf)).toEqual({ first, later });
});
