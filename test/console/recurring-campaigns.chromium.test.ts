import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };

let browser: Browser;
let place: Installation;
beforeAll(async () => {
  [browser, place] = await Promise.all([openBrowser(), install()]);
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-recurring-'));
  const file = join(folder, 'manifest.json');
  const manifest = {
    lists: [{ key: 'clients', name: 'Clients', filter: { tags: ['client'] } }],
    templates: [
      { key: 'letter', name: 'Newsletter', html: '<b>{{content}}</b>', defaultList: 'clients' },
    ],
  };
  await writeFile(file, JSON.stringify(manifest));
  await place.admin(`apply -f ${file} --sub-account ${place.subAccountId} --yes`);
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

const pageOf = (url: string, path: string) => `${url}/console/${place.subAccountId}/${path}`;

/** The recurring campaigns of the manifest. */
const exported = async () =>
  (await place.admin(`export --sub-account ${place.subAccountId}`)).campaigns;

const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('button', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

test('a recurring campaign is created, changed and removed', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(pageOf(url, 'campaigns?tab=recurring'));
  await page.getByRole('button', { name: 'New recurring campaign' }).click(PATIENCE);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Monthly news');
  await dialog.getByText('Contacts with the tag “client”').waitFor();
  await dialog.getByLabel('Subject').fill('{{firstName|Hello}}, news');
  await dialog.getByLabel('Content').fill('Dear {{firstName|client}},\n\nnews.');
  await dialog.getByText('Runs every month on the 1st at 09:00, Europe/Berlin.').waitFor();
  await expect.poll(() => axeFindings(page), PATIENCE).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /Monthly news/ });
  await row.getByText('every month on the 1st at 09:00, Europe/Berlin').waitFor(PATIENCE);
  await row.getByText(/1 .*, 09:00 GMT\+[12]$/).waitFor();
  expect(await exported()).toMatchObject([
    {
      key: 'monthly-news',
      list: 'clients',
      template: 'letter',
      content: '<p>Dear {{firstName|client}},</p>\n<p>news.</p>',
      repeat: '0 9 1 * *',
      active: true,
    },
  ]);

  await row.getByRole('button', { name: 'Edit Monthly news' }).click();
  await choose(page, 'Repeats', 'Every week');
  // The box itself is hidden below its drawing.
  await dialog.getByText('Thursday').click();
  await dialog.getByText('Runs every Monday and Thursday at 09:00').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('every Monday and Thursday at 09:00').waitFor(PATIENCE);

  // An unusual expression stays text.
  await row.getByRole('button', { name: 'Edit Monthly news' }).click();
  await choose(page, 'Repeats', 'Cron expression');
  const cron = dialog.getByRole('textbox', { name: 'Cron expression' });
  await cron.fill('0 25 * * *');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/is not a cron expression/).waitFor(PATIENCE);
  await cron.fill('0 9 1,15 * *');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('0 9 1,15 * *, Europe/Berlin').waitFor(PATIENCE);
  await row.getByRole('button', { name: 'Edit Monthly news' }).click();
  expect(await cron.inputValue()).toBe('0 9 1,15 * *');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await row.getByRole('button', { name: 'Remove Monthly news' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No recurring campaigns yet').waitFor(PATIENCE);
  expect((await exported()) ?? []).toEqual([]);
  // The refused expression.
  expect(faults).toEqual([expect.stringContaining('400')]);
});

test('a campaign that is written is not lost without a question', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(pageOf(url, 'campaigns'));
  await page.getByRole('button', { name: 'New campaign' }).click(PATIENCE);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.waitFor(PATIENCE);
  // Nothing was typed yet.
  await page.getByRole('link', { name: 'Contacts' }).first().click();
  await page.getByRole('button', { name: 'New contact' }).waitFor(PATIENCE);
  await page.goBack();
  await name.fill('Autumn', PATIENCE);
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  const leave = [
    () => page.getByRole('link', { name: 'Contacts' }).first().click(),
    () => page.evaluate('history.back()'),
  ];
  for (const go of leave) {
    await go();
    await question.getByRole('button', { name: 'Keep editing' }).click(PATIENCE);
    await question.waitFor({ state: 'detached' });
    expect([
      new URL(page.url()).pathname.endsWith('/campaigns/new'),
      await name.inputValue(),
    ]).toEqual([true, 'Autumn']);
  }
  await page.evaluate('history.back()');
  await question.getByRole('button', { name: 'Discard' }).click(PATIENCE);
  await page.getByText('No campaigns yet').waitFor(PATIENCE);

  // What was saved is no longer asked about.
  await page.getByRole('button', { name: 'New campaign' }).click();
  await name.fill('Winter', PATIENCE);
  await page.getByLabel('Subject').fill('Snow');
  await page.getByLabel('Content').fill('Snow falls.');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: 'Winter' }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect.poll(() => name.inputValue(), PATIENCE).toBe('Copy of Winter');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: 'Copy of Winter' }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Winter', exact: true }).waitFor(PATIENCE);
  expect(await page.getByRole('link', { name: 'Copy of Winter' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

test('those who were left out are found among the recipients', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const call = (path: string, body: object) => callFrom(page, place, ['POST', path], body);
  await page.goto(pageOf(url, 'campaigns'));
  await call('/contacts', {
    firstName: 'Ada',
    lastName: 'Guest',
    email: 'ada@example.com',
    tags: ['client'],
  });
  await call('/contacts', { firstName: 'Ben', lastName: 'Guest', tags: ['client'] });
  const content = { contentHtml: '<p>Hello</p>', layout: 'Newsletter' };
  const draft = { name: 'Spring', subject: '{{firstName|Hello}}, it is spring', ...content };
  const { id } = await call('/campaigns', draft);
  await page.goto(pageOf(url, `campaigns/${id}`));
  await page.getByText('1 contact gets this mail.').waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 1 mail' }).click();
  await page.getByText('{{firstName|Hello}}, it is spring', { exact: true }).waitFor(PATIENCE);
  const filter = page.getByRole('button', { name: 'Status' });
  await filter.click();
  await page.getByRole('option', { name: 'Left out' }).click();
  const row = page.getByRole('row', { name: /Ben Guest/ });
  await row.getByText('No email address').filter({ visible: true }).waitFor(PATIENCE);
  await filter.click();
  await page.getByRole('option', { name: 'All recipients' }).click();
  const search = page.getByRole('searchbox', { name: 'Search by name or address' });
  await search.fill('ben');
  await row.getByText('Left out').waitFor(PATIENCE);
  await search.fill('zoe');
  await page
    .getByText('No such contact was on the list “Clients” when the campaign started.')
    .waitFor(PATIENCE);
  expect(faults).toEqual([]);
});
