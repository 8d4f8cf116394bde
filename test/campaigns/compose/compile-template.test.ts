import { expect, test } from 'vitest';
import { compileTemplate } from '../../../src/campaigns/compose/compile-template.ts';

/** Compiles a template whose values become six times as long, and records which are encoded. */
function compile(template: string) {
  const encoded: string[] = [];
  const merge = compileTemplate(template, {
    text: (text) => text,
    value(value) {
      encoded.push(value);
      return value.repeat(6);
    },
  });
  return { merge, encoded };
}

test('a value is encoded once, however many fields and recipients have it', () => {
  const { merge, encoded } = compile('{{a}}-{{a}}-{{b}}');
  expect(merge({ a: 'x', b: 'x' })).toBe('xxxxxx-xxxxxx-xxxxxx');
  expect(merge({ a: 'x', b: 'y' })).toBe('xxxxxx-xxxxxx-yyyyyy');
  expect(encoded).toEqual(['x', 'y']);
});

test('values of very many recipients are encoded as they are, each for its own', () => {
  const { merge } = compile('{{a}}');
  const long = (index: number) => String(index).padStart(100_000, '.');
  const lengths = Array.from({ length: 20 }, (_, index) => merge({ a: long(index) }).length);
  expect(lengths).toEqual(Array.from({ length: 20 }, () => 600_000));
});

test('a text is refused if its values are too long as they are sent', () => {
  const { merge } = compile('{{a}}{{a}}');
  expect(merge({ a: '"'.repeat(300_000) })).toHaveLength(3_600_000);
  expect(() => merge({ a: '"'.repeat(400_000) })).toThrow(
    'too long with its merge fields filled in: at most 4000000 characters are allowed',
  );
});

test('a template ignores inherited properties, and an unknown field is empty', () => {
  const plain = { text: (text: string) => text, value: (value: string) => `[${value}]` };
  const merge = compileTemplate('a{{ b }}c{{constructor}}{{d}}{x}{{', plain);
  expect(merge({ b: '{{d}}', d: null })).toBe('a[{{d}}]c{x}{{');
});

test('a value that all mails have is encoded again only after those of thousands of recipients', () => {
  const { merge, encoded } = compile('{{all}}{{own}}');
  const all = 'x'.repeat(600_000);
  for (const own of ['a', 'b', 'c']) {
    merge({ all, own: own.repeat(10_000) });
  }
  expect(encoded.filter((value) => value === all)).toHaveLength(1);
});
