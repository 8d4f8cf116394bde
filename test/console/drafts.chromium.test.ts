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

const chat = (url: string, visitorName: string) =>
  chatWith({ url, subAccountId: place.subAccountId }, visitorName, 'Hello');

const openThread = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('list', { name: 'Conversations' }).getByText(name).click(PATIENT);
  await page.getByRole('heading', { name, level: 1 }).waitFor(PATIENT);
};

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Reply' });

async function expectText(page: Page, text: string): Promise<void> {
  await expect.poll(() => boxOf(page).inputValue(), PATIENT).toBe(text);
}

/** Resolves when the server has saved a text. */
const savedAs = (page: Page, text: string) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === 'PUT' &&
      response.url().endsWith('/draft') &&
      response.request().postDataJSON().bodyText === text,
  );

/** What a browser reports when its window is looked at again. */
const lookAgain = (page: Page) =>
  page.evaluate('window.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');

test('a draft whose conversation is left at once is in the other browser of the user', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chat(url, 'Ada Lovelace');
  await chat(url, 'Grace Hopper');
  await openThread(page, 'Ada Lovelace');
  await boxOf(page).fill('Not finished');
  await openThread(page, 'Grace Hopper');
  const { page: other } = await openConsole(browser, place);
  await openThread(other, 'Ada Lovelace');
  await expectText(other, 'Not finished');
  expect(faults).toEqual([]);
});

test('a draft that was changed in the other browser replaces the older one', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chat(url, 'Mary Jackson');
  await openThread(page, 'Mary Jackson');
  const saved = savedAs(page, 'One');
  await boxOf(page).fill('One');
  await saved;
  const { page: other } = await openConsole(browser, place);
  await openThread(other, 'Mary Jackson');
  await expectText(other, 'One');
  const changed = savedAs(other, 'One and two');
  await boxOf(other).fill('One and two');
  await changed;
  await lookAgain(page);
  await expectText(page, 'One and two');
  await page.reload();
  await expectText(page, 'One and two');
  expect(faults).toEqual([]);
});

test('a draft that the other browser has sent is gone', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const visitor = await chat(url, 'Annie Easley');
  await openThread(page, 'Annie Easley');
  const saved = savedAs(page, 'See you on Thursday');
  await boxOf(page).fill('See you on Thursday');
  await saved;
  const { page: other } = await openConsole(browser, place);
  await openThread(other, 'Annie Easley');
  await expectText(other, 'See you on Thursday');
  await boxOf(other).press('Control+Enter');
  await expect.poll(visitor.seen, PATIENT).toContainEqual(expect.stringContaining('Thursday'));
  await expectText(page, '');
  await page.reload();
  await page.getByRole('log').getByText('See you on Thursday').waitFor(PATIENT);
  await expectText(page, '');
  expect(faults).toEqual([]);
});

test('a draft that was written offline is saved once the connection is back', async () => {
  const { page, url } = await openConsole(browser, place);
  await chat(url, 'Dorothy Vaughan');
  await openThread(page, 'Dorothy Vaughan');
  await page.getByRole('log').getByText('Hello').waitFor(PATIENT);
  await page.context().setOffline(true);
  await page.getByText('Offline.').waitFor(PATIENT);
  await boxOf(page).fill('Written offline');
  await page.waitForTimeout(1_500);
  const saved = savedAs(page, 'Written offline');
  await page.context().setOffline(false);
  expect((await saved).status()).toBe(200);
  await expectText(page, 'Written offline');
});

test('a note stays a note while its text is emptied, and after it is saved', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chat(url, 'Edith Clarke');
  await openThread(page, 'Edith Clarke');
  await page.getByText('Internal note', { exact: true }).click();
  await boxOf(page).fill('Only for us');
  await boxOf(page).press('Control+Enter');
  await page.getByRole('log').getByText('Only for us').waitFor(PATIENT);
  const removed = savedAs(page, '');
  await boxOf(page).fill('More');
  await boxOf(page).fill('');
  await removed;
  await page.waitForTimeout(500);
  expect(await page.getByRole('switch', { name: 'Internal note' }).isChecked()).toBe(true);
  expect(faults).toEqual([]);
});

test('a draft is not shown to the next user of the browser', async () => {
  const { page, url } = await openConsole(browser, place);
  await chat(url, 'Katherine Johnson');
  await openThread(page, 'Katherine Johnson');
  const saved = savedAs(page, 'Mine alone');
  await boxOf(page).fill('Mine alone');
  await saved;
  const thread = page.url();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor(PATIENT);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Mine alone');
  const { subAccountId, admin } = place;
  await admin(
    `user invite --email next@harbour.example --role agent --sub-account ${subAccountId}`,
  );
  const { link } = await admin('user link --email next@harbour.example');
  await page.goto('about:blank');
  await page.goto(url + new URL(link).pathname + new URL(link).hash);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
  await page.goto(thread);
  await page.getByRole('log').getByText('Hello').waitFor(PATIENT);
  await page.waitForTimeout(500);
  expect(await boxOf(page).inputValue()).toBe('');
});
