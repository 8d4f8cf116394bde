import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

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

const listOf = (url: string) => `${url}/console/${place.subAccountId}/contacts`;
const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Contacts' }).getByRole('row', { name: new RegExp(name) });

test('two contacts are merged after their outcome was shown', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const ada = await create(page, ADA);
  const augusta = await create(page, AUGUSTA);
  await page.goto(listOf(url));
  await page.getByRole('checkbox', { name: 'Select Augusta King' }).press('Space', PATIENT);
  await page.getByRole('checkbox', { name: 'Select Ada Lovelace' }).press('Space');
  await page.getByRole('toolbar').getByRole('button', { name: 'Merge' }).click();
  // The contact that was there before remains.
  await page.getByText('Ada Lovelace remains, Augusta King is deleted.').waitFor();
  expect(await page.getByText('Also moved').count()).toBe(0);
  const outcome = page.getByRole('table', { name: 'Outcome' });
  await outcome.getByRole('row', { name: /^First name Ada ?instead of Augusta/ }).waitFor();
  await outcome.getByRole('row', { name: /Tags vip, press both/ }).waitFor();
  await outcome.getByRole('row', { name: /Phone \+493012345678 Augusta King/ }).waitFor();
  await outcome.getByRole('row', { name: /More emails augusta@example.com/ }).waitFor();
  await page.getByRole('button', { name: 'Keep Augusta King instead' }).click();
  await outcome.getByRole('row', { name: /^First name Augusta ?instead of Ada/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Merge contacts' }).click();
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  const left = await rows('select id from contacts where deleted_at is null');
  expect(left).toEqual([{ id: augusta }]);
  await page.goto(`${listOf(url)}/${augusta}`);
  await page.getByRole('button', { name: 'Actions for this person' }).click();
  await page.getByRole('menuitem', { name: 'Merge with…' }).waitFor();
  expect(ada).not.toBe(augusta);
  expect(faults).toEqual([]);
});

test('contacts of the same name are told apart before they are merged', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const JAN = { firstName: 'Jan', lastName: 'Otto' };
  await create(page, { ...JAN, email: 'jan@example.com', company: 'Engines' });
  await create(page, { ...JAN, firstName: 'jan', phone: '+493012345678' });
  await page.goto(listOf(url));
  for (const name of ['Select Jan Otto', 'Select jan Otto']) {
    await page.getByRole('checkbox', { name, exact: true }).press('Space', PATIENT);
  }
  const merge = page.getByRole('toolbar').getByRole('button', { name: 'Merge' });
  await merge.click();
  await page
    .getByText('Jan Otto (jan@example.com) remains, jan Otto (+493012345678) is deleted.')
    .waitFor();
  const outcome = page.getByRole('table', { name: 'Outcome' });
  await outcome.getByRole('row', { name: /Engines Jan Otto \(jan@example.com\)/ }).waitFor();
  await page.getByRole('button', { name: 'Keep jan Otto (+493012345678) instead' }).waitFor();
  await page.keyboard.press('Escape');
  // Without an address, a contact is known by its age.
  await rows('update contacts set phone = null');
  await rows("update contacts set created_at = '2025-11-24T12:00:00Z' where email is null");
  await page.reload();
  for (const name of ['Select Jan Otto', 'Select jan Otto']) {
    await page.getByRole('checkbox', { name, exact: true }).press('Space', PATIENT);
  }
  await merge.click();
  await page
    .getByText(
      'jan Otto (contact since 24 Nov 2025) remains, Jan Otto (jan@example.com) is deleted.',
    )
    .waitFor();
  // Both were created on one day, and neither has an address.
  await page.keyboard.press('Escape');
  await rows('delete from contact_emails');
  await rows('update contacts set email = null');
  await rows("update contacts set created_at = '2025-11-24T12:00:05Z' where first_name = 'Jan'");
  await page.reload();
  for (const name of ['Select Jan Otto', 'Select jan Otto']) {
    await page.getByRole('checkbox', { name, exact: true }).press('Space', PATIENT);
  }
  await merge.click();
  await page.getByText(/^jan Otto \(contact since .*:00:00\) .*since .*:00:05\) is/).waitFor();
  expect(faults).toEqual([]);
});
