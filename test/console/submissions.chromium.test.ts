import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { findingsOf } from '../support/looks.ts';

const PATIENT = { timeout: 60_000 };
const MANIFEST = `forms:
  - key: ask
    name: Ask us
    fields:
      - { name: email, label: Your email, type: email, required: true, mapsTo: email }
      - { name: question, label: Your question, type: text }
      - { name: newsletter, label: Send me news, type: checkbox, mapsTo: customFields.news }
  - key: rate
    name: Rate us
    fields: [{ name: stars, label: Stars, type: number }]
customFields: [{ name: news, type: boolean }]
`;

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

test('the settings list what visitors submitted, and open the answers and the contact', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/settings?tab=forms`);
  await page.getByText('No submissions yet').waitFor(PATIENT);

  await callFrom(page, place, ['POST', '/manifest/apply'], { source: MANIFEST });
  const { ids } = await callFrom(page, place, ['GET', '/manifest']);
  const submit = (key: string, fields: object) =>
    fetch(`${url}/api/forms/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ formId: ids.forms[key], fields }),
    });
  const asked = { email: 'ada@example.com', question: 'Are you open?', newsletter: true };
  expect((await submit('ask', asked)).status).toBe(201);
  expect((await submit('rate', { stars: 5 })).status).toBe(201);

  await page.reload();
  const table = page.getByRole('table', { name: 'Submissions' });
  await table.getByRole('row').nth(2).waitFor(PATIENT);
  expect(await findingsOf(page, 'submissions')).toEqual([]);
  await page
    .getByRole('button', { name: 'Form', exact: false })
    .filter({ hasText: 'All forms' })
    .click();
  await page.getByRole('option', { name: 'Ask us' }).click();
  await table.getByText('5', { exact: true }).waitFor({ state: 'detached', ...PATIENT });
  await table.getByRole('link', { name: 'ada@example.com · Are you open? · Yes' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ask us' });
  await dialog.locator('dt').first().waitFor(PATIENT);
  expect(await dialog.locator('dt').allTextContents()).toEqual([
    'Your email',
    'Your question',
    'Send me news',
  ]);
  expect(await findingsOf(page, 'submission')).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached', ...PATIENT });
  await page.goBack();
  await dialog.getByRole('link', { name: 'Open the contact' }).press('Enter');
  await page.getByRole('heading', { name: 'ada@example.com' }).waitFor(PATIENT);
  expect(faults).toEqual([]);
});
