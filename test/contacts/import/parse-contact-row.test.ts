import { describe, expect, test } from 'vitest';
import { contactColumns, readHeader } from '../../../src/contacts/import/csv-columns.ts';
import { localFormats } from '../../../src/contacts/import/local-formats.ts';
import { parseContactRow } from '../../../src/contacts/import/parse-contact-row.ts';

const definitions = [
  { name: 'age', label: 'Age', type: 'number', options: null, isRequired: false },
  { name: 'vip', label: 'Vip', type: 'boolean', options: null, isRequired: false },
  { name: 'since', label: 'Since', type: 'date', options: null, isRequired: false },
  { name: 'mobile', label: 'Mobile', type: 'phone', options: null, isRequired: false },
  { name: 'workEmail', label: 'Email', type: 'email', options: null, isRequired: false },
  { name: 'plan', label: 'Plan', type: 'select', options: ['a', 'b'], isRequired: true },
] as const;

const GERMAN = localFormats({ timezone: 'Europe/Berlin', locale: 'de-DE' });

const read = (column: string, cell: string, formats = GERMAN) => {
  const columns = readHeader(definitions, ['firstName', 'lastName', column]);
  return parseContactRow(columns, { line: 7, cells: ['Ada', 'L', cell] }, formats);
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
    expect(parseContactRow(columns, { line: 2, cells: ['a', 'b', 'c'] }, GERMAN)).toEqual({
      line: 2,
      message,
    });
  });

  test('every column at fault is named', () => {
    const columns = readHeader(definitions, ['firstName', 'lastName', 'email', 'phone']);
    const row = parseContactRow(columns, { line: 2, cells: ['a', 'b', 'x', 'y'] }, GERMAN);
    expect(row).toMatchObject({ message: expect.stringMatching(/^email: .*; phone: /) });
  });
});

const IN = {
  france: localFormats({ timezone: 'Europe/Paris', locale: 'fr-FR' }),
  germany: GERMAN,
  britain: localFormats({ timezone: 'Europe/London', locale: 'en-GB' }),
  america: localFormats({ timezone: 'America/New_York', locale: 'en-US' }),
  sweden: localFormats({ timezone: 'Europe/Stockholm', locale: 'sv-SE' }),
  englishInBerlin: localFormats({ timezone: 'Europe/Berlin', locale: 'en' }),
  englishInBoston: localFormats({ timezone: 'America/New_York', locale: 'en' }),
} as const;

describe('a phone', () => {
  test.for([
    ['france', '06 12 34 56 78', '+33612345678'],
    ['france', '06.12.34.56.78', '+33612345678'],
    ['france', '612345678', '+33612345678'],
    ['france', '+33 (0)6 12 34 56 78', '+33612345678'],
    ['france', '0033 6 12-34-56-78', '+33612345678'],
    ['france', '+49 30 123456', '+4930123456'],
    ['germany', '030/123456', '+4930123456'],
    ['britain', '020 7946 0018', '+442079460018'],
    ['america', '(212) 555-0123', '+12125550123'],
  ] as const)('of %s, %s, is read as %s', ([country, cell, phone]) => {
    expect(read('phone', cell, IN[country])).toMatchObject({ fields: { phone } });
    expect(read('additionalPhones', `${cell};+4930999999`, IN[country])).toMatchObject({
      fields: { additionalPhones: [phone, '+4930999999'] },
    });
    expect(read('customFields.mobile', cell, IN[country])).toMatchObject({
      fields: { customFields: { mobile: phone } },
    });
  });

  test.for([
    ['france', '1234', '06 12 34 56 78 or +33612345678'],
    ['france', '06 12 34 56 78 / 07 12 34 56 78', '06 12 34 56 78 or +33612345678'],
    ['france', '06 12 34 56 78 ext. 5', '06 12 34 56 78 or +33612345678'],
    ['germany', '030 123', '01512 3456789 or +4915123456789'],
    ['america', '555-0123', '(201) 555-0123 or +12015550123'],
  ] as const)(
    'of %s, %s, is refused with its text and what to write',
    ([country, cell, example]) => {
      const says = `"${cell}" is not a phone number; write one number and nothing else, national or with its country code, as in ${example}`;
      for (const column of ['phone', 'customFields.mobile']) {
        expect(read(column, cell, IN[country])).toEqual({ line: 7, message: `${column}: ${says}` });
      }
      expect(read('additionalPhones', `+4930999999;${cell}`, IN[country])).toEqual({
        line: 7,
        message: `additionalPhones: ${says}`,
      });
    },
  );

  test('that is long or has control characters is shown cut, and without them', () => {
    const shown = (cell: string) => {
      const { message } = read('phone', cell) as { readonly message: string };
      return /^phone: (".*") is not/.exec(message)?.[1];
    };
    expect(shown(`${'x'.repeat(39)}😀${'y'.repeat(100_000)}`)).toBe(`"${'x'.repeat(39)}😀…"`);
    expect(shown('a\u001b[31m\u202eb')).toBe('"a\ufffd[31m\ufffdb"');
    expect(shown('"a"')).toBe(String.raw`"\"a\""`);
  });
});

describe('an email', () => {
  test.for(['email', 'additionalEmails', 'customFields.workEmail'])(
    'in %s that is none is refused with its text',
    (column) => {
      expect(read(column, 'ada at example')).toEqual({
        line: 7,
        message: `${column}: "ada at example" is not an email address; write one address and nothing else`,
      });
    },
  );
});

describe('a date', () => {
  test.for([
    ['france', '14/02/1985'],
    ['france', '14.2.1985'],
    ['france', '1985/02/14'],
    ['germany', '14.02.1985'],
    ['britain', '14-02-1985'],
    ['america', '2/14/1985'],
    ['america', '1985-02-14'],
    ['sweden', '1985-02-14'],
    ['englishInBerlin', '14/02/1985'],
    ['englishInBoston', '02/14/1985'],
  ] as const)('of %s, %s, is read in the order of the locale', ([country, cell]) => {
    expect(read('dateOfBirth', cell, IN[country])).toMatchObject({
      fields: { dateOfBirth: '1985-02-14' },
    });
    expect(read('customFields.since', cell, IN[country])).toMatchObject({
      fields: { customFields: { since: '1985-02-14' } },
    });
  });

  test.for([
    ['france', '02/14/1985', 'day/month/year, as in 14/02/1985, or 1985-02-14'],
    ['france', '14/02/85', 'day/month/year, as in 14/02/1985, or 1985-02-14'],
    ['germany', '31.02.1985', 'day/month/year, as in 14/02/1985, or 1985-02-14'],
    ['america', '14/02/1985', 'month/day/year, as in 02/14/1985, or 1985-02-14'],
    ['sweden', '14/02/1985', 'year-month-day, as in 1985-02-14'],
  ] as const)('of %s, %s, is refused with its text and what to write', ([country, cell, help]) => {
    for (const column of ['dateOfBirth', 'customFields.since']) {
      expect(read(column, cell, IN[country])).toEqual({
        line: 7,
        message: `${column}: "${cell}" is not a date; write ${help}`,
      });
    }
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
