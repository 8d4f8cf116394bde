import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const openManifest = async (options = {}) => {
  const visit = await openConsole(browser, place, options);
  await visit.page.goto(`${visit.url}/console/${place.subAccountId}/settings?tab=manifest`);
  const editor = visit.page.getByRole('textbox', { name: 'Manifest' });
  await editor.waitFor();
  return { ...visit, editor };
};

test('the manifest is edited with completion, checked at its line, previewed and saved', async () => {
  const { page, editor, faults } = await openManifest();
  expect(await axeFindings(page)).toEqual([]);
  await editor.press('Control+End');
  await editor.pressSequentially('custom');
  await page.getByRole('option', { name: 'customValues' }).click();
  await editor.pressSequentially('\n  greeting: 5');
  const issues = page.getByRole('alert', { name: 'Issues' });
  await issues.getByText('/customValues/greeting').waitFor();
  await issues.getByRole('button', { name: /^Line \d+$/ }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('Hello');
  await issues.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('customValues greeting').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Manifest applied').waitFor();
  await page.reload();
  await page.getByText('greeting: Hello').waitFor();
  expect(faults.filter((fault) => !/status of 400/.test(fault))).toEqual([]);
});

test('the editor fits a phone, in the dark', async () => {
  const { page } = await openManifest({
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  expect(await axeFindings(page)).toEqual([]);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBe(360);
});

test('a text that is not saved stays while other pages are open, and losses are asked about', async () => {
  const before = (await place.admin(`export --sub-account ${place.subAccountId}`)) as object;
  const { page, editor, faults } = await openManifest();
  await editor.press('Control+a');
  await editor.press('Delete');
  await editor.pressSequentially(
    'calendars: [{key: checkups, name: Check-ups, type: round-robin, types: []}]',
  );
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('table', { name: 'Audit' }).waitFor();
  await page.getByRole('tab', { name: 'Manifest' }).click();
  await page.getByText('Your unsaved text is back').waitFor();
  await page.reload();
  await page.getByText('Your unsaved text is back').waitFor();
  expect(await editor.innerText()).toContain('types: []');
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole('button', { name: 'Preview changes' }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  // Losses first; of the hours, only what differs.
  const first = changes.getByRole('listitem').first();
  expect(await first.innerText()).toMatch(/^Removed\s+calendars checkups\//);
  await changes.getByText('calendars checkups/types/checkup').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Save, and remove these?' });
  await question.getByText('calendars checkups/types/checkup').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await place.admin(`export --sub-account ${place.subAccountId}`)).toEqual(before);

  await page.getByRole('button', { name: 'Discard my text' }).click();
  await page.getByText('Your unsaved text is back').waitFor({ state: 'detached' });
  expect(await editor.innerText()).toContain('subAccount:');
  expect(faults).toEqual([]);
});
