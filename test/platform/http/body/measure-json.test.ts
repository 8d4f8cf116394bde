import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { pointerToken } from '#core/fault.ts';
import { measureJson } from '#platform/http/body/measure-json.ts';
import { parseJson } from '#platform/http/body/read.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

const LIMITS = { values: 10_000, depth: 64 };
const DEEP = 'is nested deeper than 64 levels';
const MANY = 'contains more than 10000 values';

const measure = (text: string, limits = LIMITS) => measureJson(Buffer.from(text), limits);

/** Returns the pointers of a value and of all values in it, in their order. */
const pointersIn = (value: unknown, pointer = ''): string[] =>
  typeof value === 'object' && value !== null
    ? [
        pointer,
        ...Object.entries(value).flatMap(([name, one]) =>
          pointersIn(one, `${pointer}/${pointerToken(name)}`),
        ),
      ]
    : [pointer];

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

const refusalOf = (text: string): unknown => {
  try {
    return parseJson(Buffer.from(text), 'application/json');
  } catch (error) {
    return (error as { readonly details: unknown }).details;
  }
};

const issueOf = (message: string, path: string) => ({ issues: [{ in: 'body', path, message }] });

const NESTED = `${'['.repeat(60)}${']'.repeat(60)},`;

/** A value within the limits, in a body that is measured. */
const padded = (text: string): string => text + ' '.repeat(100_000);

describe('measureJson', () => {
  test('counts values and levels as the parser finds them', () => {
    const json = fc.json({ maxDepth: 6 });
    const spaced = fc.tuple(json, fc.constantFrom(undefined, 1, '\t', '\r\n'));
    fc.assert(
      fc.property(spaced, ([text, space]) => {
        const value: unknown = JSON.parse(text);
        const written = JSON.stringify(value, null, space);
        const pointers = pointersIn(value);
        const [values, depth] = [pointers.length, depthOf(value)];
        expect(measure(written, { values, depth })).toBeUndefined();
        expect(measure(written, { values: values - 1, depth })).toEqual({
          message: `contains more than ${values - 1} values`,
          path: pointers.at(-1),
        });
        const flatter = { values, depth: Math.max(0, depth - 1) };
        expect(measure(written, flatter)?.message).toBe(
          depth === 0 ? undefined : `is nested deeper than ${depth - 1} levels`,
        );
      }),
    );
  });

  test.for([
    ['brackets and commas in a string', `["${'[{,]}'.repeat(20_000)}"]`],
    ['brackets and commas in a name', `{"${'[{,]}'.repeat(20_000)}":1}`],
    ['escaped quotes', `["${'\\",['.repeat(20_000)}"]`],
    ['long texts between escaped quotes', `["${`${'x'.repeat(300)}\\"[,`.repeat(300)}"]`],
    ['backslashes before a quote', `["${'x'.repeat(300)}\\\\",["${'x'.repeat(300)}\\\\\\""]]`],
    ['characters of several bytes', `["${'Zoë 🎉'.repeat(20_000)}"]`],
    ['a string without an end', `["${'[,'.repeat(50_000)}`],
    ['a string that ends with a backslash', `["${'x'.repeat(50_000)}\\`],
    ['closing brackets', ']'.repeat(50_000)],
    ['nothing', ''],
  ] as const)('ignores %s', ([, text]) => {
    expect(measure(text)).toBeUndefined();
  });
});

describe('a large JSON body', () => {
  test.for([
    ['of numbers', `[${'1,'.repeat(500_000)}1]`, MANY, '/9999'],
    ['of unknown names', `{${'"k":1,'.repeat(150_000)}"k":1}`, MANY, '/k'],
    ['of names with marks', `{${'"a/b~\\u0063":1,'.repeat(50_000)}"k":1}`, MANY, '/a~1b~0c'],
    ['of nested arrays', '['.repeat(500_000) + ']'.repeat(500_000), DEEP, '/0'.repeat(64)],
    [
      'of nested objects',
      `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
      DEEP,
      '/a'.repeat(64),
    ],
    ['of many nested arrays', `[${NESTED.repeat(8_000)}1]`, MANY, `/166${'/0'.repeat(39)}`],
    ['of empty arrays', `[${'[],'.repeat(300_000)}1]`, MANY, '/9999'],
    ['that is not JSON after too many values', `[${'1,'.repeat(500_000)}`, MANY, '/9999'],
    ['of names that are no JSON', `{${'"\\x":1,'.repeat(50_000)}`, MANY, '/'],
    ['of values without names', `{${'1,'.repeat(50_000)}`, MANY, '/'],
  ] as const)('%s is refused before it is parsed', ([, text, message, path]) => {
    const parse = vi.spyOn(JSON, 'parse');
    const refusal = refusalOf(text);
    const longest = Math.max(0, ...parse.mock.calls.map(([parsed]) => parsed.length));
    parse.mockRestore();
    expect(refusal).toEqual(issueOf(message, path));
    expect(longest, 'a name is parsed for the path').toBeLessThan(20);
  });

  test('is measured in less time than it is parsed', () => {
    const text = JSON.stringify(Array.from({ length: 9_000 }, () => 'x"'.repeat(50)));
    const bytes = Buffer.from(text);
    const times = Array.from({ length: 10 });
    const parsed = cpuMs(() => times.forEach(() => JSON.parse(bytes.toString())));
    const measured = cpuMs(() => times.forEach(() => measureJson(bytes, LIMITS)));
    expect(measured).toBeLessThan(4 * parsed);
  });

  test.for([
    ['with as many values as allowed', padded(`[${'1,'.repeat(9_998)}1]`)],
    ['with as many levels as allowed', padded('['.repeat(64) + ']'.repeat(64))],
    ['of one text', JSON.stringify({ text: 'a, "b" [c]'.repeat(50_000) })],
  ] as const)('%s is parsed', ([, text]) => {
    expect(refusalOf(text)).toEqual(JSON.parse(text));
  });

  test.for([
    ['ends too early', `${' '.repeat(100_000)}[`, 'is not JSON: it ends too early'],
    ['has a NUL character', padded('["\\u0000"]'), 'must not contain a NUL character'],
  ] as const)('that %s gets the error of a small one', ([, text, message]) => {
    expect(refusalOf(text)).toMatchObject({ issues: [{ in: 'body', message }] });
    expect(refusalOf(text)).toEqual(refusalOf(text.trim()));
  });
});
