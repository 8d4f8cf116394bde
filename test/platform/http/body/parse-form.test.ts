import { Type } from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import { request } from '#core/schema/schema.ts';
import { parseForm } from '#platform/http/body/parse-form.ts';
import { readForm } from '#platform/http/body/read.ts';

const fieldsOf = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, at) => `a${at}=${at}`).join('&'));

const TOO_MANY = expect.objectContaining({
  code: 'PAYLOAD_TOO_LARGE',
  message: 'the form has more than 500 fields',
});

const refusalOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('a form', () => {
  test.for([
    ['no field', ''],
    ['one field', 'a=1'],
    ['encoded characters', 'a+b=%26%3D&%C3%A4=%F0%9F%8E%89'],
    ['a name without a value', 'a&b='],
    ['empty fields', '&&a=1&'],
    ['a value of a megabyte', `a=${'b'.repeat(1_000_000)}`],
  ] as const)('with %s is parsed as browsers write it', ([, text]) => {
    expect([...parseForm(Buffer.from(text))]).toEqual([...new URLSearchParams(text)]);
  });

  test('has up to 500 fields', () => {
    expect(parseForm(fieldsOf(500)).size).toBe(500);
    expect(refusalOf(() => parseForm(fieldsOf(501)))).toEqual(TOO_MANY);
  });

  test.for([
    ['equal names', 'a&'.repeat(520_000)],
    ['different names', fieldsOf(100_000).toString()],
    ['no names', '&'.repeat(1_000_000)],
  ] as const)('of a megabyte of fields with %s is refused before it is parsed', ([, text]) => {
    const parse = vi.spyOn(globalThis, 'URLSearchParams');
    const refusal = refusalOf(() => parseForm(Buffer.from(text)));
    const calls = parse.mock.calls.length;
    parse.mockRestore();
    expect([refusal, calls]).toEqual([TOO_MANY, 0]);
  });

  test('that a page receives is limited, too', () => {
    const body = request({ a: Type.Optional(Type.String()) });
    const node = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const bytes = Buffer.from('a&'.repeat(520_000));
    expect(refusalOf(() => readForm({ body }, node, bytes))).toEqual(TOO_MANY);
  });
});
