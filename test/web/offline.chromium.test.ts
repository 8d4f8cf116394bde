import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { SUB_ACCOUNT } from './chat-peer.ts';
import { begin, texts, PATIENT, visit } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const AWAY = { online: false, requireEmail: false };

describe('outside the business hours', () => {
  test('shows the hours, and accepts a message with an email', async () => {
    const visitor = await visit(browser, { configuration: AWAY });
    const { page, peer, launcher, panel } = visitor;
    await launcher.click();
    await panel.getByText('We are away right now. Leave a message').waitFor();
    expect(await panel.locator('dl').innerText()).toMatch(
      /Mon\s+09:00 – 12:00\s+13:00 – 17:00\s+Tue – Wed\s+09:00 – 17:00\s+Fri\s+09:00 – 13:00/,
    );
    await panel.getByText('Times in Europe/Berlin').waitFor();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Please enter your email address').waitFor();
    await page.getByText('Please write a message.').waitFor();
    await page.getByLabel('Your email').fill('ada@example.com');
    await page.getByLabel('Your message').fill('Please call me');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect.poll(() => texts(visitor), PATIENT).toContain('Please call me');
    const [sessionId] = peer.sessions.keys();
    const posts = peer.seen.filter(({ method }) => method === 'POST');
    expect(posts.map(({ path, body }) => [path, body])).toEqual([
      [
        'session',
        { subAccountId: SUB_ACCOUNT, visitorName: 'Ada', visitorEmail: 'ada@example.com' },
      ],
      ['message', { sessionId, message: 'Please call me' }],
    ]);
  });

  test('a message that was not sent stays with "try again"', async () => {
    const { page, peer, launcher, log } = await visit(browser, { configuration: AWAY });
    await launcher.click();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your email').fill('ada@example.com');
    await page.getByLabel('Your message').fill('Please call me');
    peer.faults.set('message', { status: 500 });
    await page.getByRole('button', { name: 'Send message' }).click();
    await log.getByText('Not sent').waitFor();
    peer.faults.clear();
    await log.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => peer.sessions.values().next().value?.length, PATIENT).toBe(1);
  });

  test('a chat continues, with a notice that the reply will take time', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    visitor.peer.configuration = { ...visitor.peer.configuration, online: false };
    await visitor.page.reload();
    await visitor.launcher.click();
    await visitor.log.getByText('We are away right now. Write anyway').waitFor();
    expect(await visitor.composer.isVisible()).toBe(true);
  });
});

test('the chat hours are checked again when a page has been open for long', async () => {
  const { page, peer, launcher, panel } = await visit(browser, {
    prepare: (_peer, page) => page.clock.install(),
  });
  await launcher.waitFor();
  peer.configuration = { ...peer.configuration, online: false };
  await page.clock.fastForward('10:00');
  await launcher.click();
  await panel.getByText('We are away right now. Leave a message').waitFor();
  expect(peer.seen.map(({ path }) => path)).toEqual(['config', 'config']);
});
