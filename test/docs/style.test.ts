import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const WORDS_MAX = 25;
/** Derived from declarations, or a record of decisions. */
const EXEMPT = new Set(['cli.md', 'decisions.md', 'webhook-events.md']);

const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md') && !EXEMPT.has(name))
  .map((name) => `docs/${name}`);

const proseOf = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Sentences, and the parts of a sentence between colons and semicolons. */
const sentencesOf = (prose: string): string[] =>
  prose
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? line.split('|') : [line]))
    .flatMap((text) => text.split(/(?<=[.!?:;])\s+/));

const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length;

describe.each(pages)('%s', (page) => {
  test('opens with what the reader can do after reading it', () => {
    const [, opening] = readFileSync(join(ROOT, page), 'utf8').split('\n\n');
    expect(opening).toMatch(/^After reading this page you (?:can|know) /);
  });

  test('marks warnings and notes as such', () => {
    const quotes = proseOf(page).match(/(?<!^>.*\n)^> .*$/gm) ?? [];
    expect(quotes.filter((line) => !/^> \[!(?:WARNING|NOTE)\]$/.test(line))).toEqual([]);
  });
});

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages])(
  `%s has no sentence of more than ${WORDS_MAX} words`,
  (page) => {
    const long = sentencesOf(proseOf(page)).filter((sentence) => wordsIn(sentence) > WORDS_MAX);
    expect(long).toEqual([]);
  },
);
