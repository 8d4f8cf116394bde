import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/troubleshooting.md');

/** The sources that print messages, with string concatenations across lines joined. */
const sources = [
  readFileSync(join(ROOT, 'bin/install'), 'utf8'),
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8')),
]
  .join('\n')
  .replaceAll(/['"`] \+\s+['"`]/g, '');

const quoted = [...readFileSync(PAGE, 'utf8').matchAll(/^### .+$/gm)].flatMap(([heading]) =>
  [...heading.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
);

test('headings in backticks quote messages', () => {
  expect(quoted.length).toBeGreaterThan(40);
  expect(new Set(quoted).size).toBe(quoted.length);
});

test.each(quoted)('"%s" is a message of the product', (message) => {
  expect(sources.includes(message)).toBe(true);
});
