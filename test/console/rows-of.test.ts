import { expect, test } from 'vitest';
import { rowsOf } from '../../web/console/api/rows-of.ts';

const read = (...pages: readonly (readonly number[])[]) => ({
  pages: pages.map((data) => ({ data })),
});

test.each([
  ['nothing before the first page', undefined, false, undefined],
  ['the rows of all pages', read([1, 2], [3]), false, [1, 2, 3]],
  ['no rows if there are none', read([]), false, []],
  ['the rows of the filter before', read([1]), true, [1]],
  ['nothing if the filter before had no rows', read([]), true, undefined],
])('a list has %s', (_, data, isPlaceholderData, rows) => {
  expect(rowsOf({ data, isPlaceholderData })).toEqual(rows);
});
