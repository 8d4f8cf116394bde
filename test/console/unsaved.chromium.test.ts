import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';

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

/** Opens the details of a new contact. */
async function openDetails() {
  const { page, url, faults } = await openConsole(browser, place);
  const contact = { firstName: 'Ada', lastName: 'Lovelace', tags: ['vip'] };
  const { id } = await callFrom(page, place, ['POST', '/contacts'], contact);
  await page.goto(`${url}/console/${place.subAccountId}/contacts/${id}?tab=details`);
  const company = page.getByRole('textbox', { name: 'Company' });
  await company.fill('Engines', PATIENT);
  return { page, id, company, faults };
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });

/** Tries to open another tab, and keeps what was typed. */
async function keepEditing(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab }).click();
  await question(page).getByRole('button', { name: 'Keep editing' }).click(PATIENT);
  await question(page).waitFor({ state: 'detached' });
}

test('what is typed into a contact stays while the contact is changed elsewhere', async () => {
  const { page, id, company } = await openDetails();
  const title = page.getByRole('textbox', { name: 'Job title' });
  await callFrom(page, place, ['PATCH', `/contacts/${id}`], { title: 'Countess' });
  // Once the connection is back, the page reads the contact again.
  await page.context().setOffline(true);
  await page.getByText('Offline.').waitFor(PATIENT);
  await page.context().setOffline(false);
  await expect.poll(() => title.inputValue(), PATIENT).toBe('Countess');
  expect(await company.inputValue()).toBe('Engines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor(PATIENT);
  const stored = await callFrom(page, place, ['GET', `/contacts/${id}`]);
  expect(stored).toMatchObject({ company: 'Engines', title: 'Countess', tags: ['vip'] });
});

test('changes of a contact are not lost with its tab without a question', async () => {
  const { page, company, faults } = await openDetails();
  await keepEditing(page, 'Timeline');
  expect(await company.inputValue()).toBe('Engines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor(PATIENT);
  // What was saved is not asked about.
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor(PATIENT);
  await page.getByRole('tab', { name: 'Details' }).click();
  await company.fill('Difference', PATIENT);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await question(page).getByRole('button', { name: 'Discard' }).click(PATIENT);
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor(PATIENT);
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect.poll(() => company.inputValue(), PATIENT).toBe('Engines');
  expect(faults).toEqual([]);
});

test('changed settings are not lost with their tab without a question', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/settings?tab=general`);
  const currency = page.getByRole('textbox', { name: 'Currency' });
  await currency.fill('CHF', PATIENT);
  await keepEditing(page, 'Team');
  expect(await currency.inputValue()).toBe('CHF');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor(PATIENT);
  await page.getByRole('tab', { name: 'Team' }).click();
  await page.getByRole('tab', { name: 'Team', selected: true }).waitFor(PATIENT);
  expect(faults).toEqual([]);
});
