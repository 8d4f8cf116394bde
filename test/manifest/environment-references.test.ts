import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeReferences, fillReferences } from '../../src/manifest/environment-references.ts';

const fill = (value: unknown) => fillReferences(value, { HOST: 'h.example', LOOP: '${env:HOST}' });

describe('${env:NAME}', () => {
  test.each([
    ['${env:HOST}', 'h.example'],
    ['https://${env:HOST}/${env:HOST}', 'https://h.example/h.example'],
    ['${env:LOOP}', '${env:HOST}'],
    ['$${env:HOST}', '${env:HOST}'],
    ['$$${env:HOST}', '$${env:HOST}'],
    ['$HOST ${HOST} {{firstName}}', '$HOST ${HOST} {{firstName}}'],
  ])('%s reads as %s', (text, expected) => {
    expect(fill(text)).toEqual({ value: expected, misfits: [] });
  });

  test('is replaced in values at any depth, and never in names', () => {
    const { value } = fill({ '${env:HOST}': ['${env:HOST}', { a: '${env:HOST}' }, 1, null] });
    expect(value).toEqual({ '${env:HOST}': ['h.example', { a: 'h.example' }, 1, null] });
  });

  test('is missed by its path where it is not set', () => {
    expect(fill({ 'a/b': ['${env:GONE}'] }).misfits).toEqual([
      { path: '/a~1b/0', message: expect.stringContaining('GONE') },
    ]);
  });

  test('any text comes back as it was once it is escaped', () => {
    const text = fc
      .array(fc.constantFrom('$', '{env:HOST}', '{env:', '}', 'x', ' '))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(fill(escapeReferences(given))).toEqual({ value: given, misfits: [] });
      }),
    );
  });
});
