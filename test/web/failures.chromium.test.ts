import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import type { ChatPeer } from './chat-peer.ts';
import { begin, texts, PATIENT, visit, write } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const GREETING = 'Hello! 👋 How can we help you today?';
const stored = ({ sessions }: ChatPeer): string[] =>
  [...sessions.values()].flat().map(({ bodyText }) => bodyText);

describe('a message', () => {
  test('shows that it is being sent, and the next one waits for it', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    const release = visitor.peer.delay('message');
    await write(visitor, 'one');
    await write(visitor, 'two');
    await visitor.log.getByText('Sending …').last().waitFor();
    await expect
      .poll(() => visitor.peer.seen.filter(({ path }) => path === 'message').length, PATIENT)
      .toBe(1);
    release();
    await expect.poll(() => stored(visitor.peer), PATIENT).toEqual(['one', 'two']);
    await visitor.log.getByText('Sending …').waitFor({ state: 'detached' });
    expect(await texts(visitor)).toEqual([GREETING, 'one', 'two']);
  });

  test('that failed stays, is announced to screen readers, and can be sent again', async () => {
    const visitor = await visit(browser);
    const { peer, log, page } = visitor;
    await begin(visitor);
    peer.faults.set('message', { status: 503 });
    await write(visitor, 'Hello');
    await log.getByText('Not sent. We cannot be reached right now.').waitFor();
    await page.locator('p[role=status].spoken').getByText('Not sent.').waitFor();
    expect(stored(peer)).toEqual([]);
    peer.faults.clear();
    await log.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('Not sent').waitFor({ state: 'detached' });
    expect([await texts(visitor), stored(peer)]).toEqual([[GREETING, 'Hello'], ['Hello']]);
  });

  test('is sent again with the same idempotency key, and the next one has its own', async () => {
    const visitor = await visit(browser);
    const { peer, log } = visitor;
    await begin(visitor);
    peer.faults.set('message', { status: 503 });
    await write(visitor, 'Hello');
    await log.getByText('Not sent.').waitFor();
    peer.faults.clear();
    await log.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('Not sent').waitFor({ state: 'detached' });
    await write(visitor, 'Are you there?');
    await expect.poll(() => stored(peer), PATIENT).toEqual(['Hello', 'Are you there?']);
    const posts = peer.seen.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('message'),
    );
    const [first, again, next, ...others] = posts.map(({ key }) => key);
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect([again, others]).toEqual([first, []]);
    expect(next).not.toBe(first);
  });

  test('whose response was lost is not sent twice', async () => {
    const visitor = await visit(browser);
    const { peer, log } = visitor;
    await begin(visitor);
    peer.isMute = true;
    peer.faults.set('message', { status: 0, isDone: true });
    await write(visitor, 'Hello');
    await log.getByText('Not sent.').waitFor();
    peer.faults.clear();
    await log.getByRole('button', { name: 'Try again' }).click();
    await log.getByText('Not sent.').waitFor({ state: 'detached' });
    expect([await texts(visitor), stored(peer)]).toEqual([[GREETING, 'Hello'], ['Hello']]);
  });

  test('whose response was lost is taken from the stream', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    await expect.poll(() => visitor.peer.streams, PATIENT).toBe(1);
    visitor.peer.faults.set('message', { status: 0, isDone: true });
    await write(visitor, 'Hello');
    await visitor.log.locator('time').waitFor();
    expect(await texts(visitor)).toEqual([GREETING, 'Hello']);
  });

  test('is blocked by the rate limit for as long as the server says', async () => {
    const visitor = await visit(browser, { prepare: (_peer, page) => page.clock.install() });
    const { peer, log, page } = visitor;
    await begin(visitor);
    peer.faults.set('message', { status: 429, headers: { 'retry-after': '40' } });
    await write(visitor, 'Hello');
    await log.getByText(/Please wait (40|3\d) seconds\./).waitFor();
    const again = log.getByRole('button', { name: 'Try again' });
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    peer.faults.clear();
    await again.click({ force: true });
    await page.clock.fastForward(41_000);
    await log.getByText('Please wait').waitFor({ state: 'detached' });
    expect(peer.seen.filter(({ path }) => path === 'message').length).toBe(1);
    await again.click();
    await expect.poll(() => stored(peer), PATIENT).toEqual(['Hello']);
  });

  test('that the server rejects shows that it was not accepted', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    visitor.peer.faults.set('message', { status: 400 });
    await write(visitor, 'Hello');
    await visitor.log.getByText('Not sent. This could not be accepted.').waitFor();
    expect(await visitor.composer.inputValue()).toBe('');
  });
});

describe('a chat that cannot start', () => {
  test.each([
    [{ status: 429, headers: { 'retry-after': '600' } }, 'Please wait 10 minutes.'],
    [{ status: 0 }, 'We cannot be reached right now.'],
    [{ status: 404 }, 'This chat is no longer available.'],
    [{ status: 400 }, 'Please check what you entered.'],
  ])('after %j shows the error and keeps what was entered', async (fault, words) => {
    const { launcher, page, panel, peer } = await visit(browser);
    await launcher.click();
    peer.faults.set('session', fault);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await panel.getByRole('alert').getByText(words).waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada');
    peer.faults.clear();
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByRole('log').waitFor();
  });

  test('pressed twice starts once', async () => {
    const { launcher, page, peer, composer } = await visit(browser);
    await launcher.click();
    const release = peer.delay('session');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your email').fill('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'One moment' }).click({ force: true });
    await page.keyboard.press('Enter');
    release();
    await composer.waitFor();
    expect(peer.seen.filter(({ path }) => path === 'session').length).toBe(1);
  });
});
