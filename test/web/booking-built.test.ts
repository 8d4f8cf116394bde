import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BOOKING_PAGE, buildBookingPage } from '../../web/build.ts';

test('the built script equals a fresh build, is small, and never parses text as markup', async () => {
  const built = Buffer.from(await buildBookingPage()).toString();
  const kept = await readFile(BOOKING_PAGE, 'utf8');
  expect(built === kept, 'run: node web/build.ts').toBe(true);
  expect(gzipSync(kept, { level: 9 }).length).toBeLessThan(2_000);
  expect(kept).not.toMatch(
    /innerHTML|insertAdjacentHTML|document\.write|\beval\(|document\.cookie/,
  );
});
