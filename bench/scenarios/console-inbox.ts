import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { lastTextOf, openInbox } from '../console.ts';
import type { Scenario } from '../scenario.ts';
import { median, percentile } from '../statistics.ts';

const COLD_AT_MOST_MS = 700;
const WARM_AT_MOST_MS = 200;
const SWITCH_AT_MOST_MS = 100;
const SWITCHES = 18;
/** How long the pointer is on a row before the click, as a person's is. */
const HOVER_MS = 100;
const READ_MS = 500;

/** Waits until the list shows its first conversation and a frame was drawn; returns milliseconds. */
const INTERACTIVE = `new Promise((resolve) => {
  const look = () => document.querySelector('[aria-label="Conversations"] a')
    ? requestAnimationFrame(() => resolve(performance.now()))
    : requestAnimationFrame(look);
  look();
})`;

/** From the next click on, waits until the thread shows a text; `shown` becomes the milliseconds between. */
const watchNextClick = (text: string): string => `void (window.shown = new Promise((resolve) => {
  addEventListener('pointerdown', ({ timeStamp }) => {
    const look = () => document.querySelector('[role="log"]')?.textContent.includes(${JSON.stringify(text)})
      ? requestAnimationFrame(() => resolve(performance.now() - timeStamp))
      : requestAnimationFrame(look);
    look();
  }, { capture: true, once: true });
}))`;

/** When an inbox of 10,000 conversations can be used, and how fast another conversation shows. */
export const consoleInbox: Scenario = {
  name: 'console-inbox',
  async measure(ground) {
    const { product, sizing } = ground;
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      const { subAccountId, signIn } = await openInbox({ ...ground, resources });
      const inbox = `${product.url}/console/${subAccountId}/inbox`;
      const visits: Visit[] = [];
      // The first visit warms the server up.
      for (let round = 0; round <= sizing.rounds; round += 1) {
        visits.push(await visit(await signIn(product.url), inbox));
      }
      const measured = visits.slice(1);
      const switches = measured.flatMap(({ switchMs }) => switchMs);
      return [
        {
          what: 'interactive, cold cache',
          unit: 'ms',
          product: median(measured.map(({ coldMs }) => coldMs)),
          bound: { atMost: COLD_AT_MOST_MS },
        },
        {
          what: 'interactive, warm cache',
          unit: 'ms',
          product: median(measured.map(({ warmMs }) => warmMs)),
          bound: { atMost: WARM_AT_MOST_MS },
        },
        {
          what: 'text of another conversation',
          unit: 'ms',
          product: median(switches),
          p50Ms: median(switches),
          p99Ms: percentile(switches, 99),
          bound: { atMost: SWITCH_AT_MOST_MS },
        },
      ];
    } finally {
      await resources.disposeAsync();
    }
  },
};

interface Visit {
  /** From the start of the navigation, with nothing cached. */
  readonly coldMs: number;
  /** The same, once scripts and styles are cached. */
  readonly warmMs: number;
  readonly switchMs: readonly number[];
}

/** Visits the inbox twice in a browser profile, then opens conversations for the first time. */
async function visit(context: BrowserContext, inbox: string): Promise<Visit> {
  const page = await context.newPage();
  await page.goto(inbox, { waitUntil: 'commit' });
  const coldMs = Number(await page.evaluate(INTERACTIVE));
  await page.waitForLoadState('networkidle');
  await page.goto(inbox, { waitUntil: 'commit' });
  const warmMs = Number(await page.evaluate(INTERACTIVE));
  await page.waitForLoadState('networkidle');
  const switchMs: number[] = [];
  for (let n = 1; n <= SWITCHES; n += 1) {
    const row = page.locator(`[aria-label="Conversations"] li[aria-posinset="${n}"] a`);
    await row.hover();
    await sleep(HOVER_MS);
    await page.evaluate(watchNextClick(lastTextOf(n)));
    await page.mouse.down();
    await page.mouse.up();
    switchMs.push(Number(await page.evaluate('window.shown')));
    await sleep(READ_MS);
  }
  await context.close();
  return { coldMs, warmMs, switchMs };
}
