import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { setUpChat } from '../chat/chat.support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { expect, test } from '../support/service.ts';
import { partsOf, write } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('the demo page shows the chat under a CSP that allows nothing else', async ({ service }) => {
  await setUpChat(service, { welcomeMessage: 'Hello!' });
  const page = await openPage(browser);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  const answer = await page.goto(`${service.url}/chat/demo?subAccountId=${service.subAccountId}`);
  expect(answer?.headers()).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    'x-content-type-options': 'nosniff',
  });
  const visitor = { page, ...partsOf(page) };
  await visitor.panel.getByText('Hello!').waitFor();
  await page.getByText(`data-sub-account="${service.subAccountId}"`).waitFor();
  await page.getByLabel('Your name').fill('Grace');
  await page.keyboard.press('Enter');
  await visitor.composer.waitFor();
  await write(visitor, 'Is Tuesday free?');
  await visitor.log.locator('.own time').waitFor();
  const [chat] = (await service.call('GET /api/v1/conversations?channel=live_chat')).body.data;
  expect(chat).toMatchObject({ channel: 'live_chat', unreadCount: 1 });
  expect(complaints).toEqual([]);
});
