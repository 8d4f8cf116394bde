import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';

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

test('Enter in a date submits a form; an error ends with Escape, on the next page and with a success', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const refusal = { success: false, error: { code: 'VALIDATION_ERROR', message: 'no' } };
  const failNext = () =>
    page.route('**/api/v1/tasks', (route) => route.fulfill({ status: 400, json: refusal }), {
      times: 1,
    });
  const submit = async (title: string) => {
    await page.getByRole('button', { name: 'New task' }).click(PATIENT);
    const dialog = page.getByRole('dialog', { name: 'New task' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
    await dialog.getByRole('spinbutton', { name: /^hour/ }).press('Enter');
    return dialog;
  };
  const error = page.getByText('That did not work');
  const fail = async () => {
    await failNext();
    const dialog = await submit('Call Mary');
    await error.waitFor(PATIENT);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await page.goto(`${url}/console/${place.subAccountId}/tasks?view=open`);
  await fail();
  await page.keyboard.press('Escape');
  await error.waitFor({ state: 'detached' });
  await fail();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await error.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('tab', { name: 'All open' }).click(PATIENT);
  await fail();
  await submit('Call Mary');
  await page.getByText('Task created').waitFor(PATIENT);
  await error.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Call Mary', exact: true }).waitFor(PATIENT);
  expect(faults.filter((text) => !/status of 400/.test(text))).toEqual([]);
});

test('phones are typed as people write them; an error of a field is shown there alone', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/contacts`);
  await page.getByRole('button', { name: 'New contact' }).first().click(PATIENT);
  const dialog = page.getByRole('dialog', { name: 'New contact' });
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Ada');
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('Lovelace');
  const phone = dialog.getByRole('textbox', { name: 'Phone' });
  await phone.fill('0151');
  await phone.press('Enter');
  const error = 'Enter one phone number, such as 01512 3456789 or +4915123456789';
  await dialog.getByText(error).waitFor(PATIENT);
  await dialog.locator('input[name="phone"]:focus').waitFor();
  expect(await page.getByText('That did not work').count()).toBe(0);
  await phone.fill('0151 2345678');
  await phone.press('Enter');
  await page.getByText('Contact created').waitFor(PATIENT);
  await page.getByRole('tab', { name: 'Details' }).click();
  const stored = page.getByRole('textbox', { name: 'Phone' });
  expect(await stored.inputValue()).toBe('+491512345678');
  await stored.fill('+49 (0)30-901 820');
  await stored.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor(PATIENT);
  expect(await stored.inputValue()).toBe('+4930901820');
  expect(faults).toEqual([]);
});
