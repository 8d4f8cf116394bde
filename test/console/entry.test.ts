import { expect, test } from 'vitest';
import {
  changedFields,
  entryOf,
  formValuesOf,
  numberIn,
  rebased,
  type EntryField,
} from '../../web/console/settings/forms/entry.ts';

const FIELDS: readonly EntryField[] = [
  { path: 'name', label: 'Name', kind: 'text' },
  { path: 'price', label: 'Price', kind: 'number' },
  { path: 'buffers/after', label: 'Buffer', kind: 'number' },
  { path: 'hours/mon', label: 'Monday', kind: 'windows' },
  { path: 'onSale', label: 'Bots see it', kind: 'switch' },
  { path: 'text', label: 'Text', kind: 'long' },
];

const ENTRY = {
  key: 'checkup',
  name: 'Check-up',
  price: 89,
  buffers: { before: 5, after: 10 },
  hours: { mon: ['09:00-12:00', '13:00-17:00'], tue: ['09:00-17:00'] },
  onSale: true,
  // As a block of YAML ends.
  text: 'See you\n',
};

test('an entry that is not edited stays as it is', () => {
  expect(entryOf(FIELDS, ENTRY, formValuesOf(FIELDS, ENTRY))).toEqual(ENTRY);
});

test('edited fields replace their member, and all others stay', () => {
  const values = {
    ...formValuesOf(FIELDS, ENTRY),
    price: ' 95.5 ',
    'buffers/after': '',
    'hours/mon': '9:00–12:00 14:00-18:00',
    onSale: false,
  };
  expect(entryOf(FIELDS, ENTRY, values)).toEqual({
    ...ENTRY,
    price: 95.5,
    buffers: { before: 5 },
    hours: { mon: ['09:00-12:00', '14:00-18:00'], tue: ['09:00-17:00'] },
    onSale: false,
  });
});

test('a switch shows its default where the entry does not say', () => {
  const field = {
    path: 'onSale',
    label: 'Bots see it',
    kind: 'switch',
    isOnByDefault: true,
  } as const;
  const shown = [{}, { onSale: false }, { onSale: true }].map((entry) =>
    formValuesOf([field], entry),
  );
  expect(shown.map(({ onSale }) => onSale)).toEqual([true, false, true]);
});

test('empty fields are left out of a new entry; what is no number is left to the server', () => {
  const values = { ...formValuesOf(FIELDS, {}), name: 'Cleaning', price: 'cheap' };
  expect(entryOf(FIELDS, {}, values)).toEqual({
    name: 'Cleaning',
    price: 'cheap',
    buffers: {},
    hours: {},
    onSale: false,
  });
});

test('what was typed stays, and untouched fields take the values of another person', () => {
  const now = { ...ENTRY, name: 'Deep check-up', price: 95, onSale: false };
  const typed = { ...formValuesOf(FIELDS, ENTRY), name: 'Examination', 'buffers/after': '' };
  expect(rebased(FIELDS, typed, { before: ENTRY, now })).toEqual({
    ...formValuesOf(FIELDS, now),
    name: 'Examination',
    'buffers/after': '',
  });
  expect(changedFields(FIELDS, ENTRY, now).map(({ label }) => label)).toEqual([
    'Name',
    'Price',
    'Bots see it',
  ]);
});

test.each([
  ['45,50', '.', 45.5],
  ['45.50', ',', 45.5],
  ['1.234,50', '.', 1234.5],
  ['1,234.50', ',', 1234.5],
  ['1,234', '.', 1234],
  ['1,234', ',', 1.234],
  ['1.234', '.', 1.234],
  ['1.234.567', '.', 1_234_567],
  ["1'000", '.', 1000],
  ['1 000,5', ',', 1000.5],
  ['45,', ',', 45],
  ['-3', '.', -3],
  ['cheap', '.', 'cheap'],
  ['1,2,3', '.', '1,2,3'],
] as const)('the number in %j with the decimal separator %j is %j', (text, decimal, number) => {
  expect(numberIn(text, decimal)).toBe(number);
});
