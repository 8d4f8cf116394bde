import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { buildFormEmbed, buildFormScript, FORM_EMBED, FORM_SCRIPT } from '../../web/build.ts';

const BYTES_MAX = 10_000;

describe.each([
  ['script of form pages', FORM_SCRIPT, buildFormScript],
  ['script that embeds a form', FORM_EMBED, buildFormEmbed],
] as const)('the built %s', (_, file, build) => {
  test('equals a fresh build, byte for byte, and is small', async () => {
    const built = Buffer.from(await build()).toString();
    const kept = await readFile(file, 'utf8');
    expect(built === kept, 'run: node web/build.ts').toBe(true);
    expect(kept.length).toBeLessThan(BYTES_MAX);
  });

  test('never parses text as HTML or script, and loads nothing from other servers', async () => {
    const kept = await readFile(file, 'utf8');
    expect(kept).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(/,
    );
    expect(kept).not.toMatch(/https?:\/\//);
  });
});
