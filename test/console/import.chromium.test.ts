import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';
import { startFrontdesk } from '../support/frontdesk.ts';

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

const CSV = `Vorname;Nachname;Mail;Notiz
Ada;Lovelace;ada@example.com;x
Grace;Hopper;no email;y
`;

test('a file is chosen, its columns are named, tried out and imported', async () => {
  await startFrontdesk(['worker'], place.variables);
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/contacts`);
  await page.getByRole('button', { name: 'Command palette' }).click();
  await page.keyboard.type('import contacts');
  await page.getByRole('menuitem', { name: 'Import contacts' }).click();
  await page.getByRole('tab', { name: 'Import', selected: true }).waitFor();
  await page.getByText('Rows without email and ID create new contacts each time').waitFor();
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
  await page.locator('input[type=file]').setInputFiles(file);
  const table = page.getByRole('table', { name: 'Columns' });
  await table.getByText('ada@example.com · no email').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await table.getByRole('button', { name: /Field of Mail/ }).click();
  await page.getByRole('option', { name: 'Leave out' }).click();
  await table.getByRole('button', { name: /Field of Mail/ }).click();
  await page.getByRole('option', { name: 'Email', exact: true }).click();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('Dry run: nothing was written.').waitFor();
  await result.getByText('Would be created: 1').waitFor();
  await page.getByText('Dry run', { exact: true }).click();
  await page.getByRole('button', { name: 'Import contacts' }).click();
  await result.getByText('The import is complete.').waitFor();
  await result.getByText('Failed: 1').waitFor();
  const errors = page.getByRole('table', { name: 'Errors' });
  const row = errors.getByRole('row', { name: /^3 Email: / });
  await row.waitFor();
  await page.setViewportSize({ width: 375, height: 740 });
  const widths = await row
    .getByRole('cell')
    .last()
    .evaluate((element) => {
      const { scrollWidth, clientWidth } = element as unknown as Record<string, number>;
      return { scrollWidth, clientWidth };
    });
  expect(widths.scrollWidth).toBe(widths.clientWidth);
  await page.setViewportSize({ width: 1280, height: 720 });
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  expect(faults).toEqual([]);
});

/** As a French Excel saves a CSV: in Windows-1252. */
const WINDOWS = Buffer.from(
  'Prénom;Nom;Courriel;Date de naissance\r\nHélène;Bézout;helene@example.com;1985-03-12\r\n',
  'latin1',
);

test('a file that is not in UTF-8 is read, and the page names fields as the rest of it does', async () => {
  await startFrontdesk(['worker'], place.variables);
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/settings?tab=import`);
  const file = { name: 'gens.csv', mimeType: 'text/csv', buffer: WINDOWS };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText(/^Read as Western European/).waitFor();
  const table = page.getByRole('table', { name: 'Columns' });
  await table.getByText('Hélène').waitFor();
  await table.getByRole('button', { name: /^Date of birth Field of Date de naissance/ }).waitFor();
  await table.getByRole('button', { name: /Field of Prénom/ }).click();
  await page.getByRole('option', { name: 'Leave out' }).click();
  await page.getByText('No column is chosen for First name.').waitFor();
  await table.getByRole('button', { name: /Field of Prénom/ }).click();
  await page.getByRole('option', { name: 'First name', exact: true }).click();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByText('Dry run', { exact: true }).click();
  await page.getByRole('button', { name: 'Import contacts' }).click();
  await page.getByText('The import is complete.').waitFor();
  await page.getByText('Created: 1').waitFor();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('link', { name: 'Hélène Bézout' }).click();

  // The date of birth is corrected in the details, and becomes a column of the list.
  await page.getByRole('tab', { name: 'Details' }).click();
  const birth = page.getByRole('group', { name: 'Date of birth' });
  await birth.getByRole('spinbutton', { name: /^year/ }).fill('1984');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Date of birth' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: /Mar 12, 1984|12 Mar 1984/ }).waitFor();
  expect(faults).toEqual([]);
});
