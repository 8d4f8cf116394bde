import { describe, expect, test } from 'vitest';
import { languageIssues } from './support/language.ts';
import { sourceTokens } from './support/source-tokens.ts';

describe('names and texts', () => {
  test('use the words of the dictionary and no banned pronouns', () => {
    expect(languageIssues()).toEqual([]);
  });
});

describe('source tokens', () => {
  const texts = (source: string, kind: string) =>
    sourceTokens(source).flatMap((token) => (token.kind === kind ? [token.text] : []));

  test('tell identifiers from strings, comments and regular expressions', () => {
    const source = "const a = b / c; // d\nreturn /e'f/g.test('h' + \"i\"); /* j */";
    expect(texts(source, 'identifier')).toEqual(['const', 'a', 'b', 'c', 'return', 'test']);
    expect(texts(source, 'string')).toEqual(["'h'", '"i"']);
    expect(texts(source, 'comment')).toEqual(['// d', '/* j */']);
  });

  test('include the code inside a template', () => {
    const source = '`a ${b({ c: `d ${e}` })} f`; g';
    expect(texts(source, 'identifier')).toEqual(['b', 'c', 'e', 'g']);
    expect(texts(source, 'string')).toEqual(['`a ${', '`d ${', '}`', '} f`']);
  });

  test('carry the line they begin on', () => {
    expect(sourceTokens('a\n/*\n*/ b').map(({ line }) => line)).toEqual([1, 2, 3]);
  });
});
