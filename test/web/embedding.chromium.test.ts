import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { SUB_ACCOUNT } from './chat-peer.ts';
import {
  begin,
  texts,
  PATIENT,
  visit,
  write,
  type Visit,
  type VisitSettings,
} from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PHONE = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true };

describe('a site with a strict CSP', () => {
  test('shows the whole widget, styled, without CSP errors and without cookies', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    await write(visitor, 'Hello');
    await expect.poll(() => texts(visitor), PATIENT).toContain('Hello');
    const colour =
      'getComputedStyle(document.querySelector(".frontdesk-chat").shadowRoot.querySelector(".send")).backgroundColor';
    await visitor.composer.fill('more');
    expect(await visitor.page.evaluate(colour)).toBe('rgb(36, 86, 166)');
    expect(visitor.complaints).toEqual([]);
    expect(await visitor.page.context().cookies()).toEqual([]);
    expect(visitor.peer.seen.flatMap(({ cookie }) => cookie ?? [])).toEqual([]);
    expect(await visitor.page.title()).toBe('A site');
    const kept = await visitor.page.evaluate('JSON.stringify(localStorage)');
    const [sessionId] = visitor.peer.sessions.keys();
    expect(JSON.parse(String(kept))).toEqual({
      [`frontdesk-chat:${SUB_ACCOUNT}`]: JSON.stringify({ sessionId }),
    });
  });

  test('if the browser blocks storage, the chat lasts as long as the page', async () => {
    const before = `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`;
    const visitor = await visit(browser, { before });
    await begin(visitor);
    await write(visitor, 'Hello');
    await expect.poll(() => visitor.peer.sessions.values().next().value?.length, PATIENT).toBe(1);
    visitor.peer.say('Good morning');
    await expect.poll(() => texts(visitor), PATIENT).toContain('Good morning');
    expect(visitor.complaints).toEqual([]);
    await visitor.page.reload();
    await visitor.launcher.click();
    await visitor.page.getByLabel('Your name').waitFor();
  });

  test('ignores invalid values in its storage', async () => {
    const before = `localStorage.setItem('frontdesk-chat:${SUB_ACCOUNT}', 'null')`;
    const visitor = await visit(browser, { before });
    await visitor.launcher.click();
    await visitor.page.getByLabel('Your name').waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

describe('nothing is shown', () => {
  test.each<[string, VisitSettings]>([
    ['if the chat is disabled', { configuration: { enabled: false } }],
    [
      'if the sub-account is unknown',
      { prepare: ({ faults }) => void faults.set('config', { status: 404 }) },
    ],
  ])('%s', async (_where, settings) => {
    const { page, peer, complaints } = await visit(browser, settings);
    await expect.poll(() => peer.seen.length, PATIENT).toBe(1);
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.frontdesk-chat').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

test('a failed request for the configuration is repeated', async () => {
  const { peer, launcher } = await visit(browser, {
    prepare: ({ faults }) => void faults.set('config', { status: 503 }),
  });
  await expect.poll(() => peer.seen.length, PATIENT).toBe(1);
  peer.faults.clear();
  await launcher.waitFor();
  expect(peer.seen.map(({ path }) => path)).toEqual(['config', 'config']);
});

test('a page with the script twice shows one widget', async () => {
  const { page, launcher, peer } = await visit(browser, {
    before: `addEventListener('DOMContentLoaded', () => {
      const [script] = document.scripts;
      const copy = document.createElement('script');
      copy.dataset.subAccount = script.dataset.subAccount;
      document.body.append(Object.assign(copy, { src: script.src }));
    })`,
    csp: '*',
  });
  await expect.poll(() => peer.seen.length, PATIENT).toBe(2);
  await launcher.first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await launcher.count()).toBe(1);
});

describe('its position', () => {
  const isOnTheLeft = async ({ launcher }: Visit) => ((await launcher.boundingBox())?.x ?? 0) < 100;

  test('comes from the configuration', async () => {
    expect(await isOnTheLeft(await visit(browser))).toBe(false);
    expect(await isOnTheLeft(await visit(browser, { configuration: { position: 'left' } }))).toBe(
      true,
    );
  });

  test('is overridden by data-position', async () => {
    expect(await isOnTheLeft(await visit(browser, { attributes: 'data-position="left"' }))).toBe(
      true,
    );
  });
});

describe('data-open', () => {
  test('opens the panel and leaves the focus on the page', async () => {
    const { page, panel } = await visit(browser, { attributes: 'data-open' });
    await panel.waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  test('is ignored on a phone, where it would cover the page', async () => {
    const { launcher, panel } = await visit(browser, { attributes: 'data-open', context: PHONE });
    await launcher.waitFor();
    expect(await panel.count()).toBe(0);
  });
});

test("the site's own shortcuts do not receive what the visitor types", async () => {
  const visitor = await visit(browser, {
    before: `window.heard = []; addEventListener('keydown', (event) => heard.push(event.key));`,
  });
  await visitor.launcher.click();
  await visitor.page.getByLabel('Your name').press('j');
  await visitor.page.keyboard.press('Escape');
  await visitor.page.locator('h1').click();
  await visitor.page.keyboard.press('k');
  expect(await visitor.page.evaluate('heard')).toEqual(['k']);
});
