import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildFormScript, FORM_SCRIPT } from '../../web/build.ts';

const BYTES_MAX = 10_000;

test('the built script equals a fresh build, byte for byte, and is small', async () => {
  const built = Buffer.from(await buildFormScript()).toString();
  const kept = await readFile(FORM_SCRIPT, 'utf8');
  expect(built === kept, 'run: node web/build.ts').toBe(true);
  expect(kept.length).toBeLessThan(BYTES_MAX);
});

test('the built script never parses text as HTML or script, and loads nothing from other servers', async () => {
  const kept = await readFile(FORM_SCRIPT, 'utf8');
  expect(kept).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(/,
  );
  expect(kept).not.toMatch(/https?:\/\//);
});
