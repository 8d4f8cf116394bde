import { chromium, type Browser } from 'playwright-core';

/** Prints when pages first show something on a slow phone: `node bench/first-paint.ts URL…`. */

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const ROUNDS = 5;
const LATENCY_MS = 150;
/** 1.6 Mbit/s down, 0.75 Mbit/s up. */
const DOWN_BYTES_PER_S = 200_000;
const UP_BYTES_PER_S = 93_750;
const PROCESSOR_SLOWDOWN = 4;
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true } as const;
const PAINT = `performance.getEntriesByName('first-contentful-paint')`;

interface Visit {
  /** Milliseconds from the request to the first contentful paint. */
  readonly paintMs: number;
  /** Everything that was transferred until then, with headers. */
  readonly bytes: number;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: DOWN_BYTES_PER_S,
    uploadThroughput: UP_BYTES_PER_S,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
  await page.goto(url);
  await page.waitForFunction(`${PAINT}.length > 0`);
  const paintMs = Number(await page.evaluate(`${PAINT}[0].startTime`));
  await context.close();
  return { paintMs, bytes };
}

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  for (const url of process.argv.slice(2)) {
    const visits: Visit[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      visits.push(await visit(browser, url));
    }
    const paints = visits.map(({ paintMs }) => Math.round(paintMs)).sort((a, b) => a - b);
    const [{ bytes } = { bytes: 0 }] = visits;
    const median = paints[Math.floor(ROUNDS / 2)];
    process.stdout.write(`${median} ms (${paints.join(', ')}), ${bytes} bytes: ${url}\n`);
  }
} finally {
  await browser.close();
}
