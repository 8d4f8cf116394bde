import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildChatWidget, CHAT_WIDGET } from '../../web/build.ts';

const GZIPPED_MAX = 20_000;

test('the built widget equals a fresh build, byte for byte', async () => {
  const built = Buffer.from(await buildChatWidget()).toString();
  const kept = await readFile(CHAT_WIDGET, 'utf8');
  expect(built.length).toBeGreaterThan(10_000);
  expect(built === kept, 'run: node web/build.ts').toBe(true);
});

test('the built widget stays small', async () => {
  expect(gzipSync(await readFile(CHAT_WIDGET), { level: 9 }).length).toBeLessThan(GZIPPED_MAX);
});

test('the built widget never parses text as HTML or script, and loads nothing from other servers', async () => {
  const kept = await readFile(CHAT_WIDGET, 'utf8');
  expect(kept).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|Function\(/,
  );
  expect(kept).not.toMatch(/document\.cookie/);
  expect(kept.match(/https?:\/\/[\w.]+/g)).toEqual(['http://www.w3.org']);
});
