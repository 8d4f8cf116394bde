import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { chatWith, install, openConsole, type Installation } from '../support/console.ts';

const PATIENT = { timeout: 60_000 };

let browser: Browser;
let place: Installation;
beforeAll(async () => {
  browser = await openBrowser();
  place = await install();
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

/** Records notifications and sounds, and lets the test say whether a tab is looked at. */
const RECORD = `
  globalThis.announced = [];
  globalThis.sounds = 0;
  globalThis.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title) { announced.push(title); }
    addEventListener() {}
  };
  const Audio = globalThis.AudioContext;
  globalThis.AudioContext = class extends Audio { constructor() { super(); sounds += 1; } };
  globalThis.look = (state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  };`;

async function openTab(page: Page, url: string): Promise<Page> {
  await page.goto(`${url}/console/${place.subAccountId}/contacts`);
  await page.getByRole('table', { name: 'Contacts' }).waitFor({ state: 'attached', ...PATIENT });
  return page;
}

test('a new message is announced once in a browser, while none of its tabs is looked at', async () => {
  const { page: first, url, faults } = await openConsole(browser, place);
  await first.context().addInitScript(RECORD);
  const page = await openTab(first, url);
  const other = await openTab(await first.context().newPage(), url);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Notify me of new messages' }).click();
  const look = (tab: Page, state: 'hidden' | 'visible') => tab.evaluate(`look('${state}')`);
  const heard = async () => {
    const all = await Promise.all(
      [page, other].map((tab): Promise<[string[], number]> => tab.evaluate('[announced, sounds]')),
    );
    return [all.flatMap(([titles]) => titles), all.reduce((sum, [, sounds]) => sum + sounds, 0)];
  };
  const inbox = (count: number) =>
    Promise.all(
      [page, other].map((tab) =>
        tab.getByRole('link', { name: `Inbox ${count}`, exact: true }).waitFor(PATIENT),
      ),
    );
  const here = { url, subAccountId: place.subAccountId };
  await chatWith(here, 'Ada Lovelace', 'While you look');
  await inbox(1);
  await look(page, 'hidden');
  await chatWith(here, 'Grace Hopper', 'While you look at the other tab');
  await inbox(2);
  expect(await heard()).toEqual([[], 0]);
  await look(other, 'hidden');
  await chatWith(here, 'Mary Jackson', 'While you do something else');
  await inbox(3);
  await expect.poll(heard, PATIENT).toEqual([['New message from Mary Jackson'], 1]);
  await page.waitForTimeout(1_000);
  expect(await heard()).toEqual([['New message from Mary Jackson'], 1]);
  expect(faults).toEqual([]);
});
