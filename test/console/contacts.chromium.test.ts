import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf } from '../support/looks.ts';
import { startFrontdesk } from '../support/frontdesk.ts';

const PATIENT = { timeout: 60_000 };

let browser: Browser;
let client: Client;
let place: Installation;
beforeAll(async () => {
  browser = await openBrowser();
  place = await install();
  client = new Client(place.database.url);
  await client.connect();
});
beforeEach(async () => {
  await rows('delete from contact_emails');
  await rows('delete from contacts');
  await rows('delete from contact_views');
});
afterAll(async () => {
  await client.end();
  await browser.close();
  await place.close();
});

const rows = async (text: string) => (await client.query(text)).rows;

/** Creates a contact with the session of the page, and returns its id. */
const create = async (page: Page, body: object): Promise<string> =>
  (await callFrom(page, place, ['POST', '/contacts'], body)).id;

/** Rules about the page, which a dialog hides: on a phone, axe applies them all the same. */
const BEHIND_DIALOG = /^(?:landmark-one-main|page-has-heading-one):/;

const REFUSED = { error: { code: 'VALIDATION_ERROR', message: 'the cursor is not valid' } };

const ADA = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  company: 'Engines',
  tags: ['vip'],
};
const AUGUSTA = {
  firstName: 'Augusta',
  lastName: 'King',
  email: 'augusta@example.com',
  phone: '+493012345678',
  tags: ['press'],
};
const GRACE = { firstName: 'Grace', lastName: 'Hopper', lifecycleStage: 'customer' };

const listOf = (url: string) => `${url}/console/${place.subAccountId}/contacts`;
const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Contacts' }).getByRole('row', { name: new RegExp(name) });

test('a view is saved with its filter and columns, and stays after a reload', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await create(page, ADA);
  await create(page, GRACE);
  await page.goto(listOf(url));
  await rowOf(page, 'Grace').waitFor(PATIENT);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('textbox', { name: 'Has all of these tags' }).fill('VIP');
  await page.keyboard.press('Enter');
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Tags' }).waitFor();
  await page.getByRole('button', { name: 'View: All contacts' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Important');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Important' }).waitFor();
  await page.goto(listOf(url));
  await rowOf(page, 'Grace').waitFor();
  await page.getByRole('button', { name: 'View: All contacts' }).click();
  await page.getByRole('menuitemradio', { name: 'Important' }).click();
  await rowOf(page, 'Grace').waitFor({ state: 'detached' });
  await page.getByRole('columnheader', { name: 'Tags' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Created' }).count()).toBe(0);
  await page.getByRole('button', { name: 'View: Important' }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await page.getByRole('button', { name: 'View: All contacts' }).waitFor();
  expect(faults).toEqual([]);
});

test('a search for a phone number finds its contacts, however it is written', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await create(page, ADA);
  const id = await create(page, AUGUSTA);
  await page.goto(listOf(url));
  await rowOf(page, 'Ada').waitFor(PATIENT);
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('+49 (30) 1234-5678');
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  await rowOf(page, 'Augusta').waitFor();
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('+49 30 0000000');
  await rowOf(page, 'Augusta').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.type('+49 30 12345678');
  await page.getByRole('menuitem', { name: /Augusta King/ }).click();
  await page.waitForURL(`**/contacts/${id}`);
  expect(faults).toEqual([]);
});

test('a next page that cannot be loaded says so, and is loaded when asked again', async () => {
  const { page, url } = await openConsole(browser, place);
  for (let n = 0; n < 51; n += 1) {
    await create(page, { firstName: `Visitor ${n}`, lastName: 'Smith' });
  }
  await page.goto(listOf(url));
  const next = '**/console/api/v1/contacts?*cursor=*';
  await page.route(next, (route) => route.fulfill({ status: 400, json: REFUSED }));
  await page.getByRole('button', { name: 'Load more' }).click(PATIENT);
  await page.getByRole('alert').getByText('the cursor is not valid').waitFor(PATIENT);
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  await rowOf(page, 'Visitor 50').waitFor();
  await page.unroute(next);
  await page.getByRole('button', { name: 'Try again' }).click();
  await rowOf(page, 'Visitor 0').waitFor(PATIENT);
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('contacts are changed in place and many at once, with the keyboard alone', async () => {
  await startFrontdesk(['worker'], place.variables);
  const { page, url, faults } = await openConsole(browser, place);
  for (let n = 0; n < 60; n += 1) {
    await create(page, { firstName: `Visitor ${n}`, lastName: 'Smith' });
  }
  await create(page, ADA);
  await page.goto(listOf(url));
  await page.getByRole('button', { name: 'Edit Company of Ada Lovelace' }).press('Enter', PATIENT);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Analytical Engines');
  await page.keyboard.press('Enter');
  await rowOf(page, 'Ada').getByText('Analytical Engines').waitFor();
  await page.getByRole('button', { name: 'Edit Company of Ada Lovelace' }).press('Enter');
  await page.keyboard.type('not this');
  await page.keyboard.press('Escape');
  await rowOf(page, 'Ada').getByText('Analytical Engines').waitFor();
  await page.getByRole('button', { name: 'Edit Stage of Ada Lovelace: Lead' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Customer' }).press('Enter');
  await rowOf(page, 'Ada').getByText('Customer').waitFor();

  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('visitor');
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select all rows' }).press('Space');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByText('50 selected').waitFor();
  await bar.getByRole('button', { name: 'Select all 60' }).press('Enter');
  await bar.getByText('60 selected').waitFor();
  await bar.getByRole('button', { name: 'Tag', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Tag' });
  await dialog.getByText('60 contacts will change.').waitFor();
  await page.keyboard.type('spring, call');
  await page.keyboard.press('Enter');
  await page.getByText('60 contacts changed').waitFor(PATIENT);
  await page.getByRole('checkbox', { name: 'Select Visitor 57 Smith' }).press('Space');
  await bar.getByRole('button', { name: 'Untag' }).press('Enter');
  await page.getByRole('textbox', { name: 'Tags to remove' }).fill('call');
  await page.keyboard.press('Enter');
  await page.getByText('1 contact changed').waitFor(PATIENT);
  await page.getByRole('checkbox', { name: 'Select Visitor 57 Smith' }).press('Space');
  await bar.getByRole('button', { name: 'Assign' }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Assigned to/ })
    .press('Enter');
  await page.getByRole('option', { name: 'Anna Weber' }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Assign', exact: true })
    .press('Enter');
  const kinds = () =>
    rows(
      `select tags, assigned_to is not null as assigned, count(*)::int as contacts from contacts
       where last_name = 'Smith' group by 1, 2 order by 3`,
    );
  await expect.poll(kinds, PATIENT).toEqual([
    { tags: ['spring'], assigned: true, contacts: 1 },
    { tags: ['spring', 'call'], assigned: false, contacts: 59 },
  ]);
  expect(faults).toEqual([]);
});

test('custom fields are shown and changed on the contact', async () => {
  const { subAccountId } = place;
  await place.admin(`apply -f test/console/custom-fields.yaml --sub-account ${subAccountId} --yes`);
  const { page, url, faults } = await openConsole(browser, place);
  const custom = { insurance: 'private', visits: 2, lastVisit: '2026-03-14', newsletter: true };
  const id = await create(page, { ...ADA, customFields: custom });
  await page.goto(`${listOf(url)}/${id}?tab=details`);
  await page.getByRole('button', { name: /Insurance/ }).click(PATIENT);
  await page.getByRole('option', { name: 'public' }).click();
  expect(await page.getByLabel('Visits').inputValue()).toBe('2');
  await page.getByLabel('Visits').fill('3');
  await page.getByRole('group', { name: 'Last visit' }).getByText('2026').waitFor();
  await page.getByRole('button', { name: /Newsletter/ }).click();
  await page.getByRole('option', { name: '–' }).click();
  await page.getByLabel('Website').fill('not an address');
  await page.getByLabel('Street and number').fill('1 Harbour Street');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be a URL').waitFor(PATIENT);
  await page.getByLabel('Website').fill('https://ada.example.com/');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor(PATIENT);
  const stored = await rows('select custom_fields, address_line1 from contacts');
  expect(stored).toEqual([
    {
      custom_fields: {
        insurance: 'public',
        visits: 3,
        lastVisit: '2026-03-14',
        website: 'https://ada.example.com/',
      },
      address_line1: '1 Harbour Street',
    },
  ]);
  expect(faults.filter((fault) => !fault.includes('of 400'))).toEqual([]);
});

test('a selection is exported', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await create(page, ADA);
  await create(page, GRACE);
  await page.goto(listOf(url));
  await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).press('Space', PATIENT);
  await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click();
  await page.getByText('The file will contain 1 contact.').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const file = await (await downloading).createReadStream();
  const text = Buffer.concat(await file.toArray()).toString();
  expect(text).toContain('Grace,Hopper');
  expect(text).not.toContain('Ada');
  expect(faults).toEqual([]);
});

test('consent is shown and changed on the contact', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const id = await create(page, AUGUSTA);
  await page.goto(`${listOf(url)}/${id}?tab=consent`);
  await page.getByText('augusta@example.com').waitFor(PATIENT);
  await page.getByRole('switch', { name: 'Block SMS' }).press('Space');
  const dnd = async () => (await rows('select dnd from contacts'))[0]?.dnd;
  await expect.poll(dnd, PATIENT).toEqual({ sms: true });
  await page.getByRole('button', { name: 'Suppress: augusta@example.com' }).press('Enter');
  await page.getByText(/Suppressed: by the team/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Allow again: augusta@example.com' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Allow again' }).press('Enter');
  await page.getByText(/Suppressed: by the team/).waitFor({ state: 'detached' });
  expect(await rows('select 1 from opt_outs')).toEqual([]);
  expect(faults).toEqual([]);
});

test('the list, its dialogs and a contact have no findings and fit', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const ada = await create(page, ADA);
  await create(page, AUGUSTA);
  const found: string[] = [];
  const look = async (what: string, ignored?: RegExp) =>
    found.push(...(await findingsOf(page, what, ignored)));
  await page.goto(listOf(url));
  await page.getByRole('checkbox', { name: 'Select Ada Lovelace' }).press('Space', PATIENT);
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor();
  await look('list');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('dialog', { name: 'Filters' }).waitFor();
  await look('filters', BEHIND_DIALOG);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByText('1 contact will change.').waitFor();
  await look('tag', BEHIND_DIALOG);
  await page.keyboard.press('Escape');
  for (const tab of ['details', 'consent']) {
    await page.goto(`${listOf(url)}/${ada}?tab=${tab}`);
    await page.getByRole('tab', { name: tab, selected: true }).waitFor();
    await page
      .getByText(tab === 'consent' ? 'ada@example.com' : 'Assigned to')
      .first()
      .waitFor();
    await look(tab);
  }
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
});
