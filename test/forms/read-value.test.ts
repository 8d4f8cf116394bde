import { describe, expect, test } from 'vitest';
import type { FormField } from '../../src/forms/form-entry.ts';
import { readValue } from '../../src/forms/read-fields.ts';

const field = (type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  name: 'a',
  label: 'A',
  type,
  required: false,
  options: null,
  mapsTo: null,
  ...more,
});

describe('a value', () => {
  test.for([
    ['text', ' Ada ', 'Ada'],
    ['text', 5, '5'],
    ['textarea', 'a\r\nb\n', 'a\nb'],
    ['email', ' Ada@Example.com', 'Ada@Example.com'],
    ['phone', '+49 (30) 90-18 20', '+4930901820'],
    ['number', '-1.50', -1.5],
    ['number', 0.1 + 0.2, 0.1 + 0.2],
    ['date', '2026-02-28', '2026-02-28'],
    ['url', 'https://example.com/', 'https://example.com/'],
    ['checkbox', 'on', true],
    ['checkbox', 'TRUE', true],
    ['checkbox', true, true],
    ['checkbox', 'false', false],
    ['checkbox', '', false],
  ] as const)('of a %s is read from %j', ([type, given, value]) => {
    expect(readValue(field(type), given)).toEqual({ value });
  });

  test.for([undefined, null, '', '   ', '\r\n'])('of %j counts as missing', (given) => {
    for (const type of ['text', 'email', 'number', 'date', 'select'] as const) {
      expect(readValue(field(type), given)).toEqual({});
      expect(readValue(field(type, { required: true }), given)).toEqual({ issue: 'is required' });
    }
  });

  test('of a select is one of its options, as it is written there', () => {
    const select = field('select', { options: ['S ', 'M'] });
    expect(readValue(select, 'S')).toEqual({ value: 'S ' });
    expect(readValue(select, 's')).toEqual({ issue: 'must be one of S , M' });
  });

  test('of a checkbox that is required is true', () => {
    for (const given of [undefined, null, false, '', 'false', 'no']) {
      expect(readValue(field('checkbox', { required: true }), given)).toEqual({
        issue: 'is required',
      });
    }
    expect(readValue(field('checkbox'), undefined)).toEqual({});
    expect(readValue(field('checkbox'), 'no')).toHaveProperty('issue');
  });

  test.for([
    ['text', ['a']],
    ['text', { a: 1 }],
    ['text', true],
    ['text', 'x'.repeat(1_001)],
    ['textarea', 'x'.repeat(10_001)],
    ['email', 'unknown'],
    ['phone', '030 901820'],
    ['number', '1e5'],
    ['number', '0x10'],
    ['number', true],
    ['date', '2026-02-30'],
    ['url', 'javascript:alert(1)'],
    ['checkbox', 1],
    ['checkbox', []],
  ] as const)('of a %s is not %j', ([type, given]) => {
    expect(readValue(field(type), given)).toEqual({ issue: expect.any(String) });
  });
});
