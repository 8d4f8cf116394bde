import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  BOOKING_STYLE,
  buildBookingStyle,
  buildCardStyle,
  buildDemoStyle,
  CARD_STYLE,
  DEMO_STYLE,
} from '../../web/build.ts';

const GZIPPED_MAX = 4_000;

test.each([
  ['booking', BOOKING_STYLE, buildBookingStyle],
  ['form and preferences', CARD_STYLE, buildCardStyle],
  ['chat demo', DEMO_STYLE, buildDemoStyle],
] as const)(
  'the built %s style sheet equals a fresh build, is small, and loads nothing',
  async (_, file, build) => {
    const kept = await readFile(file, 'utf8');
    const isFresh = Buffer.from(await build()).toString() === kept;
    expect(isFresh, 'run: node web/build.ts').toBe(true);
    expect(gzipSync(kept, { level: 9 }).length).toBeLessThan(GZIPPED_MAX);
    expect(kept).not.toMatch(/@import|url\(\s*['"]?(?!data:)/);
  },
);

test.each([
  ['booking', BOOKING_STYLE],
  ['form and preferences', CARD_STYLE],
  ['chat demo', DEMO_STYLE],
] as const)('every token that the %s style sheet uses is defined', async (_, file) => {
  const kept = await readFile(file, 'utf8');
  const used = new Set(kept.match(/(?<=var\()--[\w-]+/g));
  expect([...used].filter((token) => !kept.includes(`${token}:`))).toEqual([]);
});

test('the console and the customer pages have the same tokens', async () => {
  const entries = [
    'console/every-style.css',
    'booking/page.css',
    'pages/card.css',
    'chat/widget.css',
  ];
  for (const entry of entries) {
    expect(await readFile(`web/${entry}`, 'utf8')).toContain("@import '../tokens/tokens.css';");
  }
});
