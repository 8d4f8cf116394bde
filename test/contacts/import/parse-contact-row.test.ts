import { describe, expect, test } from 'vitest';
import { contactColumns, readHeader } from '../../../src/contacts/import/csv-columns.ts';
import { parseContactRow } from '../../../src/contacts/import/parse-contact-row.ts';

const definitions = [
  { name: 'age', label: 'Age', type: 'number', options: null, isRequired: false },
  { name: 'vip', label: 'Vip', type: 'boolean', options: null, isRequired: false },
  { name: 'plan', label: 'Plan', type: 'select', options: ['a', 'b'], isRequired: true },
] as const;

const read = (column: string, cell: string) => {
  const columns = readHeader(definitions, ['firstName', 'lastName', column]);
  return parseContactRow(columns, { line: 7, cells: ['Ada', 'L', cell] });
};

describe('a cell', () => {
  test.for([
    ['company', ' Analytical ', { company: ' Analytical ' }],
    ['company', ' ', {}],
    ['company', "'=1", { company: '=1' }],
    ['email', ' ada@example.com ', { email: 'ada@example.com' }],
    ['phone', '+4930123456', { phone: '+4930123456' }],
    ['phone', "'+4930123456", { phone: '+4930123456' }],
    ['tags', 'a; b;', { tags: ['a', 'b'] }],
    ['customFields.age', '1e21', { customFields: { age: 1e21 } }],
    ['customFields.age', "'-0.5", { customFields: { age: -0.5 } }],
    ['customFields.vip', 'TRUE', { customFields: { vip: true } }],
    ['customFields.plan', 'b', { customFields: { plan: 'b' } }],
  ] as const)('of %s, %j, is parsed as %j', ([column, cell, fields]) => {
    expect(read(column, cell)).toEqual({
      line: 7,
      id: undefined,
      fields: { firstName: 'Ada', lastName: 'L', ...fields },
    });
  });

  test.for([
    ['email', 'no-one'],
    ['phone', '030 123'],
    ['id', '7'],
    ['lifecycleStage', 'vip'],
    ['dateOfBirth', '2026-02-30'],
    ['timezone', 'Berlin'],
    ['assignedTo', 'anna'],
    ['tags', 'x'.repeat(101)],
    ['tags', Array.from({ length: 201 }, (_, n) => n).join(';')],
    ['additionalEmails', 'a@b.example;no-one'],
    ['additionalPhones', '+4930123456;1'],
    ['company', 'A\0B'],
    ['customFields.age', 'old'],
    ['customFields.age', '1e999'],
    ['customFields.vip', 'yes'],
    ['customFields.plan', 'c'],
  ] as const)(
    'of %s that does not fit is refused with the name of the column',
    ([column, cell]) => {
      expect(read(column, cell)).toEqual({
        line: 7,
        message: expect.stringMatching(new RegExp(`^${column.replace('.', String.raw`\.`)}: `)),
      });
    },
  );

  test('a row with too many or too few cells is refused', () => {
    const columns = readHeader(definitions, ['firstName', 'lastName']);
    const message = 'has 3 cells, but the header has 2';
    expect(parseContactRow(columns, { line: 2, cells: ['a', 'b', 'c'] })).toEqual({
      line: 2,
      message,
    });
  });

  test('every column at fault is named', () => {
    const columns = readHeader(definitions, ['firstName', 'lastName', 'email', 'phone']);
    const row = parseContactRow(columns, { line: 2, cells: ['a', 'b', 'x', 'y'] });
    expect(row).toMatchObject({ message: expect.stringMatching(/^email: .*; phone: /) });
  });
});

describe('the header', () => {
  test.for([
    ['an unknown column', ['firstName', 'lastName', 'nickname'], 'nickname is not a column'],
    ['do-not-disturb', ['firstName', 'lastName', 'dnd'], 'dnd is not a column'],
    ['a read-only field', ['firstName', 'lastName', 'engagementScore'], 'engagementScore is not a'],
    ['an undefined custom field', ['firstName', 'lastName', 'customFields.x'], 'customFields.x is'],
    ['a column without a name', ['firstName', 'lastName', ''], 'a column without a name'],
    ['a column twice', ['firstName', 'lastName', 'firstName'], 'firstName appears twice'],
    ['no firstName', ['lastName'], 'firstName is missing'],
    ['no lastName', ['firstName'], 'lastName is missing'],
  ] as const)('with %s is refused', ([, header, message]) => {
    expect(() => readHeader(definitions, header)).toThrow(message);
  });

  test('accepts every column of an export', () => {
    const names = contactColumns(definitions).map(({ name }) => name);
    expect(readHeader(definitions, names).map((column) => column?.name)).toEqual(names);
    expect(names).not.toContain('dnd');
  });
});
