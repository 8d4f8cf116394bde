import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { begin, texts, PATIENT, visit } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const GREETING = 'Hello! 👋 How can we help you today?';
/** Hides or shows the page as its scripts see it: a headless page is never hidden by itself. */
const setVisibility = (state: 'hidden' | 'visible') => `
  Object.defineProperty(document, 'hidden', { configurable: true, value: ${state === 'hidden'} });
  document.dispatchEvent(new Event('visibilitychange'));`;

describe('the stream', () => {
  test('that breaks is opened again, and messages from meanwhile appear once', async () => {
    const visitor = await visit(browser);
    const { peer } = visitor;
    await begin(visitor);
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
    peer.say('before');
    await expect.poll(() => texts(visitor), PATIENT).toContain('before');
    peer.dropStreams();
    peer.say('meanwhile');
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
    peer.say('after');
    await expect
      .poll(() => texts(visitor), PATIENT)
      .toEqual([GREETING, 'before', 'meanwhile', 'after']);
  });

  test('requests messages after the known ones', async () => {
    const visitor = await visit(browser);
    const { peer, page } = visitor;
    await begin(visitor);
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
    peer.say('old');
    const { id } = peer.say('new');
    const opened = () => peer.seen.filter(({ path }) => path === 'stream');
    const before = opened().length;
    await page.reload();
    // The stream of the page before may still count as open.
    await expect.poll(() => opened().length, PATIENT).toBeGreaterThan(before);
    expect(opened().at(-1)?.query.get('after')).toBe(id);
    await visitor.launcher.click();
    await expect.poll(() => texts(visitor), PATIENT).toEqual([GREETING, 'old', 'new']);
  });

  test('that never opens is replaced by polling', async () => {
    const visitor = await visit(browser, { prepare: (peer) => void (peer.hasNoStreams = true) });
    const { peer } = visitor;
    await begin(visitor);
    await expect
      .poll(() => peer.seen.filter(({ path }) => path === 'stream').length, PATIENT)
      .toBeGreaterThan(0);
    peer.say('Good morning');
    await expect.poll(() => texts(visitor), PATIENT).toContain('Good morning');
    peer.hasNoStreams = false;
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
  });

  test('that is open but dead is detected within a minute', async () => {
    const visitor = await visit(browser, { prepare: (_peer, page) => page.clock.install() });
    const { peer, page } = visitor;
    await begin(visitor);
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
    peer.isMute = true;
    peer.say('Good morning');
    const opened = peer.seen.filter(({ path }) => path === 'stream').length;
    await page.clock.fastForward(61_000);
    await expect.poll(() => texts(visitor), PATIENT).toContain('Good morning');
    await page.clock.fastForward(3_000);
    await expect
      .poll(() => peer.seen.filter(({ path }) => path === 'stream').length, PATIENT)
      .toBe(opened + 1);
  });

  test('pauses while the page is hidden', async () => {
    const visitor = await visit(browser);
    const { peer, page } = visitor;
    await begin(visitor);
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
    await page.evaluate(setVisibility('hidden'));
    await expect.poll(() => peer.streams, PATIENT).toBe(0);
    peer.say('Good morning');
    await page.evaluate(setVisibility('visible'));
    await expect.poll(() => texts(visitor), PATIENT).toContain('Good morning');
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
  });
});

test('a visitor without a chat costs one request', async () => {
  const { launcher, page, peer } = await visit(browser);
  await launcher.click();
  await page.waitForLoadState('networkidle');
  expect(peer.seen.map(({ path }) => path)).toEqual(['config']);
});

test('a server that is down is reported, and used again when it is back', async () => {
  const visitor = await visit(browser);
  const { peer, page } = visitor;
  await begin(visitor);
  await expect.poll(() => peer.streams, PATIENT).toBe(1);
  peer.faults.set('messages', { status: 503 });
  peer.dropStreams();
  await page.getByText('Connection lost. Trying again …').waitFor();
  peer.faults.clear();
  await page.getByText('Connection lost. Trying again …').waitFor({ state: 'detached' });
  await expect.poll(() => peer.streams, PATIENT).toBe(1);
});

test('a session that ends is replaced by the form', async () => {
  const visitor = await visit(browser);
  const { peer, page } = visitor;
  await begin(visitor);
  await expect.poll(() => peer.streams, PATIENT).toBe(1);
  peer.sessions.clear();
  peer.dropStreams();
  await page.getByText('That chat has ended.').waitFor();
  expect(await page.evaluate('JSON.stringify(Object.values(localStorage))')).toBe('["{}"]');
});

test('a visitor after scrolling back gets a notice of new messages and is not scrolled', async () => {
  const visitor = await visit(browser);
  const { peer, log, page } = visitor;
  await begin(visitor);
  for (let count = 0; count < 30; count += 1) {
    peer.say(`message ${count}`);
  }
  await expect.poll(() => texts(visitor), PATIENT).toContain('message 29');
  const top = () => log.evaluate((element) => element.scrollTop);
  await expect.poll(top, PATIENT).toBeGreaterThan(500);
  await log.evaluate((element) => void (element.scrollTop = 0));
  peer.say('the newest');
  const more = page.getByRole('button', { name: 'New messages' });
  await more.waitFor();
  expect(await top()).toBe(0);
  await more.click();
  await expect.poll(top, PATIENT).toBeGreaterThan(500);
  await more.waitFor({ state: 'hidden' });
});
