import { describe, expect, test } from 'vitest';
import { guessColumns } from '../../web/console/settings/import/contact-columns.ts';
import { readCsvHead } from '../../web/console/settings/import/read-csv-head.ts';

describe('the first rows of a CSV', () => {
  test.each<[string, string[][]]>([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      '"a,b",c\n"x\ny","""z"""\n',
      [
        ['a,b', 'c'],
        ['x\ny', '"z"'],
      ],
    ],
    [
      'a,b\n\n , \n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2\n3,4\n5,6\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['a,b\n"open', [['a', 'b'], ['open']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(readCsvHead(text, 3)).toEqual(rows);
  });
});

test('columns are found by their titles, each one once', () => {
  const titles = ['Vorname', 'Last name', 'E-Mail', 'mail', 'Notiz', 'insurance', 'tags'];
  expect(guessColumns(titles, ['insurance'])).toEqual([
    'firstName',
    'lastName',
    'email',
    '',
    '',
    'customFields.insurance',
    'tags',
  ]);
});
