import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };

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

async function openTab(page: Page, url: string, tab: string): Promise<void> {
  await page.goto(`${url}/console/${place.subAccountId}/agency?tab=${tab}`);
  await page.getByRole('table').waitFor(PATIENCE);
}

async function chooseAction(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('the agency page', () => {
  test('creates a sandbox for a new customer, and closes it', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Agency' }).click();
    await page.getByRole('table', { name: 'Sub-accounts' }).waitFor(PATIENCE);
    await page.getByRole('button', { name: 'New sub-account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New sub-account' });
    await dialog.getByLabel('Name').fill('Trial');
    // The order of dates in CSV files and on customer pages depends on the variant of English.
    await dialog.getByRole('button', { name: /^British English/ }).waitFor();
    // What was typed is not lost by accident.
    await page.keyboard.press('Escape');
    const discard = page.getByRole('dialog', { name: 'Discard your changes?' });
    expect(await axeFindings(page)).toEqual([]);
    await discard.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Trial');
    await page.keyboard.press('Escape');
    await discard.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New sub-account' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New sub-account' }).click();
    await dialog.getByLabel('Name').fill('Trial');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('lisb');
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
    expect(await dialog.getByText(/Nothing is sent to real providers/).count()).toBe(0);
    await dialog.getByText('Sandbox', { exact: true }).click();
    await dialog.getByText(/Nothing is sent to real providers/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Currency').fill('EURO');
    await dialog.getByRole('button', { name: 'Create' }).click();
    // The field says what is wrong, and no notice repeats it.
    await dialog.getByText(/must be/).waitFor(PATIENCE);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await dialog.getByLabel('Currency').fill('EUR');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: /^Trial/ }).waitFor(PATIENCE);
    const [trial] = (await place.admin('sub-account list')) as any[];
    expect(trial).toMatchObject({ timezone: 'Europe/Lisbon', sandbox: true });
    // The page is loaded again, in the new sub-account.
    await page.waitForURL(`${url}/console/${trial.id}/**`, PATIENCE);
    await page.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
    await page.goto(`${url}/console/agency`);
    await page.getByRole('row', { name: /Trial Sandbox/ }).waitFor(PATIENCE);
    await chooseAction(page, 'Trial', 'Move to another installation');
    await page.getByLabel('On this server').waitFor(PATIENCE);
    await page.keyboard.press('Escape');
    await chooseAction(page, 'Trial', 'Close sub-account');
    const close = page.getByRole('dialog', { name: 'Close Trial?' });
    await close.getByText(/Booked appointments stay/).waitFor();
    const confirm = close.getByRole('button', { name: 'Close sub-account' });
    await close.getByLabel('Type Trial to confirm').fill('Trail');
    await close.getByText('The name does not match yet.').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await close.getByLabel('Type Trial to confirm').fill('Trial');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Trial/ }).waitFor({ state: 'detached', ...PATIENCE });
    // The closed one was open: the page stays, in another sub-account.
    await page.getByRole('table', { name: 'Sub-accounts' }).waitFor(PATIENCE);
    await page.getByRole('link', { name: 'Contacts' }).waitFor(PATIENCE);
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  test('is not needed to create a sub-account: the list of the others has it, too', async () => {
    const { page, faults } = await openConsole(browser, place);
    await page.getByRole('button', { name: /^Harbour/ }).click(PATIENCE);
    await page.getByRole('menuitem', { name: 'New sub-account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New sub-account' });
    await dialog.getByLabel('Name').fill('Second');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: /^Second/ }).waitFor(PATIENCE);
    expect(faults).toEqual([]);
  });

  test('invites an owner, disables them, and makes an agency key', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await openTab(page, url, 'users');
    await page.getByRole('button', { name: 'Invite an owner' }).click();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.keyboard.press('Enter');
    await page.getByLabel('Sign-in link').waitFor(PATIENCE);
    await page.getByRole('button', { name: 'Done' }).click();
    await chooseAction(page, 'grace@example.com', 'New sign-in link');
    const asked = page.getByRole('dialog', { name: /^New sign-in link for grace/ });
    await asked.getByText(/within 24 hours/).waitFor();
    await asked.getByRole('button', { name: 'New sign-in link' }).click();
    await page.getByRole('textbox', { name: 'Sign-in link' }).waitFor(PATIENCE);
    await page.getByRole('button', { name: 'Done' }).click();
    await chooseAction(page, 'grace@example.com', 'Disable');
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('row', { name: /grace@example.com.*Disabled/ }).waitFor(PATIENCE);
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create agency key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Reports');
    await dialog.getByText('contacts:read', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor(PATIENCE);
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /Reports Agency/ });
    await row.getByRole('button', { name: 'Revoke Reports' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('row', { name: /Reports Agency.*Revoked/ }).waitFor(PATIENCE);
    expect(faults).toEqual([]);
  });

  test('has no findings and fits', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    for (const tab of ['sub-accounts', 'users', 'keys']) {
      await openTab(page, url, tab);
      await page.getByRole('table').waitFor(PATIENCE);
      expect(await findingsOf(page, `agency-${tab}`)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
});

test('an owner without a sub-account creates the first one', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  for (const { id } of await place.admin('sub-account list')) {
    await place.admin(`sub-account delete ${id} --yes`);
  }
  await page.goto(`${url}/console`);
  await page.getByText('Create the first one').waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'New sub-account' }).click();
  const dialog = page.getByRole('dialog', { name: 'New sub-account' });
  await dialog.getByLabel('Name').fill('First');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: /^First/ }).waitFor(PATIENCE);
  expect(faults).toEqual([]);
});
