import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

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

test('a button tells screen readers that its action is under way', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/v1/tasks', async (route) => {
    if (route.request().method() === 'POST') {
      await answer.promise;
    }
    await route.continue();
  });
  await page.goto(`${url}/console/${place.subAccountId}/tasks`);
  await page.getByRole('button', { name: 'New task' }).click();
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.getByLabel('Title').fill('Call Ada');
  await dialog.getByRole('button', { name: 'New task', exact: true }).click();
  const button = dialog.getByRole('button', { name: 'New task Working…', exact: true });
  await button.waitFor();
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  const announced = page.locator('[data-live-announcer] [role=img]').last();
  const id = await announced.getAttribute('aria-labelledby');
  expect(id).toBe(await button.getAttribute('id'));
  expect(await axeFindings(page)).toEqual([]);
  answer.resolve();
  await dialog.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});
