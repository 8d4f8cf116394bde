import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildConsole, CONSOLE_FOLDER } from '../../web/build-console.ts';

const GZIPPED_MAX = 220_000;

test('the built console equals a fresh build, file by file', async () => {
  const files = await buildConsole();
  expect((await readdir(CONSOLE_FOLDER)).sort(), 'run: node web/build.ts').toEqual(
    [...files.keys()].sort(),
  );
  for (const [name, bytes] of files) {
    const kept = await readFile(join(CONSOLE_FOLDER, name));
    expect(kept.equals(bytes), `${name}: run: node web/build.ts`).toBe(true);
  }
});

/** Returns the scripts that a script loads before it runs. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)].map(([, name = '']) => name);

test.for(['en', 'de', 'fr', 'es'])(
  'the first screen stays small in the language %s',
  async (locale) => {
    const page = await readFile(join(CONSOLE_FOLDER, 'index.html'), 'utf8');
    const loaded = new Set<string>();
    const load = async (name: string): Promise<number> => {
      if (loaded.has(name)) {
        return 0;
      }
      loaded.add(name);
      const script = await readFile(join(CONSOLE_FOLDER, name));
      let size = gzipSync(script, { level: 9 }).length;
      for (const next of importsOf(script.toString())) {
        size += await load(next);
      }
      return size;
    };
    const first = await load(/src="\/console\/([\w.-]+\.js)"/.exec(page)?.[1] ?? '');
    const names = await readdir(CONSOLE_FOLDER);
    const texts = names.filter((name) => name.startsWith(`${locale}-`));
    expect(texts).toHaveLength(1);
    const size = first + (await load(texts[0] ?? ''));
    // Each script costs a request: that of the page, the shared one, the texts, and what languages share.
    expect(loaded.size).toBe(4);
    expect(size).toBeGreaterThan(100_000);
    expect(size).toBeLessThan(GZIPPED_MAX);
  },
);

test('development pages are not in the built console', async () => {
  const names = await readdir(CONSOLE_FOLDER);
  expect(names.filter((name) => name.startsWith('design'))).toEqual([]);
});
