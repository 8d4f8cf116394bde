import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

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
  await dialog.getByRole('button', { name: 'Save' }).click();
  const button = dialog.getByRole('button', { name: 'Save Working…', exact: true });
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

test('a change of many contacts is stopped', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await callFrom(page, place, ['POST', '/contacts'], { firstName: 'Stopped', lastName: 'Change' });
  await page.goto(`${url}/console/${place.subAccountId}/contacts?search=stopped`);
  await page.getByRole('checkbox', { name: 'Select Stopped Change' }).press('Space', PATIENT);
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Tag', exact: true }).press('Enter');
  await page.getByRole('textbox', { name: 'Tags to add' }).fill('spring');
  await page.keyboard.press('Enter');
  // No worker runs.
  await bar.getByText('Changing contacts: 0 of 1').waitFor(PATIENT);
  await bar.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  await page.getByText('0 contacts changed, 1 left as they were').waitFor(PATIENT);
  await bar.getByText('1 selected').waitFor();
  expect(faults).toEqual([]);
});
