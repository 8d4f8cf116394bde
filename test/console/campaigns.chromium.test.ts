import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../sdk/src/main.ts';
import { smtp } from '../conversations/sending.support.ts';
import { openBrowser } from '../support/browser.ts';
import { startFollowing, type Following } from '../support/command-line.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';

const PATIENCE = { timeout: 60_000 };
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const NAMES = ['ada', 'ben', 'cleo', 'dan'];

let browser: Browser;
let place: Installation;
let mails: MailServer;
let worker: Following | undefined;
beforeAll(async () => {
  [browser, mails, place] = await Promise.all([
    openBrowser(),
    startMailServer(),
    install({ FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8' }),
  ]);
  await apply({
    channels: smtp(Number(new URL(mails.url).port)),
    lists: [
      { key: 'clients', name: 'Clients', filter: { tags: ['client'] } },
      { key: 'chosen', name: 'Chosen' },
    ],
    templates: [
      {
        key: 'letter',
        name: 'Newsletter',
        html: '<html><body><h1>Harbour</h1>{{content}}</body></html>',
        defaultList: 'clients',
      },
    ],
    campaigns: [
      {
        key: 'monday',
        name: 'Monday news',
        list: 'clients',
        template: 'letter',
        subject: 'News',
        content: '<p>News</p>',
        repeat: '0 9 * * MON',
      },
    ],
  });
  const { key } = await place.admin(
    `key create --sub-account ${place.subAccountId} --name Test --scopes contacts:write`,
  );
  const { contacts } = createClient({ baseUrl: await place.url(), apiKey: key });
  for (const name of NAMES) {
    const email = name === 'dan' ? {} : { email: `${name}@example.com` };
    const dnd = name === 'cleo' ? { dnd: { email: true } } : {};
    await contacts.create({
      firstName: name,
      lastName: 'Guest',
      tags: ['client'],
      ...email,
      ...dnd,
    });
  }
});
afterAll(async () => {
  await worker?.end();
  await browser.close();
  await place.close();
  await mails.close();
});

async function apply(manifest: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-campaigns-'));
  try {
    const file = join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify(manifest));
    await place.admin(`apply -f ${file} --sub-account ${place.subAccountId} --yes`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const pageOf = (url: string, path: string) => `${url}/console/${place.subAccountId}/${path}`;

/** The page has no findings and fits; a picture is kept in the folder that the environment names. */
async function inspect(page: Page, name: string): Promise<void> {
  // React Aria keeps the announcement of a pending button for seven seconds.
  await expect.poll(() => axeFindings(page), PATIENCE).toEqual([]);
  const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(over)).toBe(0);
  const folder = process.env['TEST_SCREENSHOTS'];
  if (folder !== undefined) {
    await page.screenshot({ path: `${folder}/campaign-${name}.png` });
  }
}

/** Sends a test mail, whose dialog names its recipient and the contact that it is merged for. */
async function sendTest(page: Page): Promise<void> {
  const name = 'Send test mail';
  await page.getByRole('button', { name }).click(PATIENCE);
  const dialog = page.getByRole('dialog', { name });
  await dialog
    .getByText(
      'The test mail will be sent to owner@harbour.example. It will have the values of ada Guest.',
    )
    .waitFor(PATIENCE);
  await dialog.getByRole('button', { name }).click();
}

test('a campaign is written, tested, sent and followed with the mouse', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(pageOf(url, 'campaigns'));
  await page.getByRole('button', { name: 'New campaign' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring');
  await page.getByLabel('Subject').fill('Hello {{firstName}}');
  await page.getByLabel('Content').fill('Dear {{fullName}},\n\nspring is <here>.');

  // The audience, and who is left out of it.
  await page
    .getByText('2 contacts get this mail. Of 4 on the list, 2 are left out.')
    .waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Contacts left out' }).click();
  const leftOut = page.getByRole('list', { name: 'Contacts left out' });
  await leftOut.getByRole('listitem').filter({ hasText: 'cleo Guest Do not disturb' }).waitFor();
  await leftOut.getByRole('listitem').filter({ hasText: 'dan Guest No email address' }).waitFor();

  // The live preview shows the mail of a contact of the list.
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Hello ada').waitFor(PATIENCE);
  const frame = preview.frameLocator('iframe:visible');
  await frame.getByText('spring is <here>.').waitFor(PATIENCE);
  await inspect(page, 'compose');
  await preview.getByRole('tab', { name: 'Phone' }).click();
  await frame.getByText('Dear ada Guest').waitFor(PATIENCE);
  expect(await preview.locator('iframe:visible').evaluate((one) => one.clientWidth)).toBeLessThan(
    376,
  );
  await preview.getByRole('tab', { name: 'Text', exact: true }).click();
  await preview.getByRole('region', { name: 'Text' }).getByText('spring is <here>.').waitFor();

  // A misspelt merge field is named, here and wherever the campaign is tested or sent.
  await page.getByLabel('Content').fill('Dear {{fristName}},\n\nspring is <here>.');
  const misspelt = '{{fristName}} is not a known field, and is left empty.';
  await preview.getByRole('alert').getByText(misspelt).waitFor(PATIENCE);
  await inspect(page, 'compose-unknown-field');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await sendTest(page);
  await page.getByRole('alertdialog').getByText(misspelt).waitFor(PATIENCE);
  await mails.next(1);
  for (const name of ['Schedule', 'Send now']) {
    await page.getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog').filter({ hasText: misspelt });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Content').fill('Dear {{fullName}},\n\nspring is <here>.');
  await preview.getByRole('alert').waitFor({ ...PATIENCE, state: 'detached' });
  await page.getByRole('button', { name: 'Save draft' }).click();

  // The draft is changed, tested and sent.
  await page.getByRole('heading', { name: 'Spring', exact: true }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByLabel('Content').inputValue()).toBe(
    'Dear {{fullName}},\n\nspring is <here>.',
  );
  await page.getByLabel('Subject').fill('Spring, {{firstName}}');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await sendTest(page);
  await page.getByText('Test mail sent to owner@harbour.example').waitFor(PATIENCE);
  const [test] = await mails.next(1);
  expect([test?.to, test?.subject]).toEqual([['owner@harbour.example'], 'Spring, ada']);
  await page.getByText('2 contacts get this mail.').waitFor(PATIENCE);
  await page.getByText('Opens and clicks are not tracked.').waitFor();
  await inspect(page, 'draft');
  // The number of mails is named once it is known.
  const counted = Promise.withResolvers<void>();
  await page.route('**/audience', async (route) => {
    await counted.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('button', { name: 'Send now' }).click(PATIENCE);
  const confirm = page.getByRole('dialog', { name: 'Send “Spring” now?' });
  await confirm.waitFor();
  expect(await confirm.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  counted.resolve();
  await confirm.getByText('Sent mails cannot be recalled.').waitFor();
  await confirm.getByRole('button', { name: 'Send 2 mails' }).click();

  // It is paused before a worker runs, and resumed.
  await page.getByRole('button', { name: 'Pause' }).click(PATIENCE);
  await page.getByRole('button', { name: 'Resume' }).click(PATIENCE);
  await page.getByRole('button', { name: 'Pause' }).waitFor(PATIENCE);
  worker = startFollowing(['worker', '--json'], place.variables, 'file');
  const sent = await mails.next(2);
  const addresses = new Set(sent.map(({ to }) => to[0]));
  expect(addresses).toEqual(new Set(['ada@example.com', 'ben@example.com']));
  await page.getByRole('img', { name: 'Mails over time: 2 of 2 mails sent' }).waitFor(PATIENCE);
  const { pathname } = new URL(sent[0]?.headers['list-unsubscribe']?.slice(1, -1) ?? '');
  await fetch(url + pathname, { method: 'POST' });
  await page.reload();
  await page.getByRole('row').getByText('Unsubscribed').last().waitFor(PATIENCE);
  await inspect(page, 'sent');
  expect(faults).toEqual([]);
});

test('a campaign is written and scheduled with the keyboard, and cancelled', async () => {
  const { page, url, faults } = await openConsole(browser, place, { colorScheme: 'dark' });
  await page.goto(pageOf(url, 'campaigns'));
  await page.getByRole('button', { name: 'New campaign' }).focus();
  await page.keyboard.press('Enter');
  // The name has the focus; then follow the list, the audience and the template.
  await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor(PATIENCE);
  await page.keyboard.type('Summer');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const focused = (name: string) => page.getByRole('option', { name }).and(page.locator(':focus'));
  await focused('Clients').waitFor(PATIENCE);
  await page.keyboard.press('Home');
  await focused('Chosen').waitFor(PATIENCE);
  await page.keyboard.press('Enter');
  await page.getByText('0 contacts get this mail.').waitFor(PATIENCE);
  await page.getByLabel('Subject').focus();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('See https://harbour.example.');
  const link = page.frameLocator('iframe:visible').getByRole('link', { name: /harbour/ });
  await link.waitFor(PATIENCE);
  expect(await link.getAttribute('href')).toBe('https://harbour.example');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await page.getByLabel('Content').inputValue()).toContain('<p>See <a href=');
  await inspect(page, 'compose-dark');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const schedule = page.getByRole('button', { name: 'Schedule' });
  await schedule.focus(PATIENCE);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  // The zone is that of the sub-account, whatever the browser's.
  await dialog.getByText('Time zone: Europe/Berlin.').waitFor();
  await inspect(page, 'schedule-dark');
  await dialog.getByRole('button', { name: 'Schedule' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Scheduled for .*09:00 \(Europe\/Berlin\)$/).waitFor(PATIENCE);
  // The dialog keeps its name, and returns the focus while it closes.
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Cancel campaign' }).press('Enter');
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' });
  await cancel.and(page.locator(':focus')).waitFor(PATIENCE);
  await page.keyboard.press('Enter');
  await page.getByText('Cancelled', { exact: true }).waitFor(PATIENCE);
  expect(faults).toEqual([]);
});

test('a campaign is written on a phone; recurring ones are paused', async () => {
  const { page, url, faults } = await openConsole(browser, place, PHONE);
  await page.goto(pageOf(url, 'campaigns/new'));
  await page.getByRole('textbox', { name: 'Name' }).fill('Autumn');
  await page.getByLabel('Subject').fill('Leaves');
  await page.getByLabel('Content').fill('Leaves fall.');
  const frame = page.frameLocator('iframe:visible');
  await frame.getByText('Leaves fall.').waitFor(PATIENCE);
  await inspect(page, 'compose-phone');
  await page.getByRole('button', { name: 'Save draft' }).tap();
  await page.getByRole('button', { name: 'Send now' }).waitFor(PATIENCE);
  await inspect(page, 'draft-phone');

  // The search of a campaign that was sent is in line with its heading.
  await page.goto(pageOf(url, 'campaigns'));
  await page.getByRole('link', { name: 'Spring' }).tap(PATIENCE);
  const leftOf = (role: 'heading' | 'searchbox', name: string) =>
    page.getByRole(role, { name }).evaluate((one) => {
      const box = one.tagName === 'INPUT' ? one.parentElement : one;
      return box?.getBoundingClientRect().left;
    });
  await page.getByRole('heading', { name: 'Recipients' }).waitFor(PATIENCE);
  expect(await leftOf('searchbox', 'Search by name or address')).toBe(
    await leftOf('heading', 'Recipients'),
  );
  await inspect(page, 'sent-phone');

  await page.goto(pageOf(url, 'campaigns'));
  await page.getByRole('tab', { name: 'Recurring' }).tap(PATIENCE);
  const row = page.getByRole('row', { name: /Monday news/ });
  await row.getByRole('button', { name: 'Pause: Monday news' }).tap(PATIENCE);
  await row.getByText('Paused').waitFor(PATIENCE);
  await inspect(page, 'recurring-phone');
  const { campaigns } = await place.admin(`export --sub-account ${place.subAccountId}`);
  expect(campaigns).toMatchObject([{ key: 'monday', active: false, subject: 'News' }]);
  await row.getByRole('button', { name: 'Resume: Monday news' }).tap();
  await row.getByRole('button', { name: 'Pause: Monday news' }).waitFor(PATIENCE);
  expect(faults).toEqual([]);
});
