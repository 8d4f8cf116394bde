import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { chatWith, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

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

const FOR_ADMINS = ['Campaigns', 'Workflows', 'Webhooks', 'Settings'];

test('an agent sees the pages of their role only, in the menu and in the palette', async () => {
  const email = 'agent@harbour.example';
  await place.admin(
    `user invite --email ${email} --role agent --sub-account ${place.subAccountId}`,
  );
  const { page, url, faults } = await openConsole(browser, place, {}, email);
  const menu = page.getByRole('navigation', { name: 'Main' });
  const names = await menu.getByRole('link').allInnerTexts();
  expect(names.map((name) => name.replace(/\s*\d+$/, ''))).toEqual([
    'Inbox',
    'Contacts',
    'Calendar',
    'Opportunities',
    'Tasks',
  ]);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('menuitem', { name: 'Go to Tasks' }).waitFor();
  for (const name of FOR_ADMINS) {
    expect(await palette.getByRole('menuitem', { name: `Go to ${name}` }).count()).toBe(0);
  }
  await page.keyboard.press('Escape');
  for (const name of FOR_ADMINS) {
    await page.goto(`${url}/console/${place.subAccountId}/${name.toLowerCase()}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const main = page.getByRole('main');
    await main
      .getByText('Ask an admin of Harbour to do this for you, or to change your role.')
      .waitFor();
    expect(await main.getByRole('button').count()).toBe(0);
  }
  expect(await axeFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('a viewer reads conversations, deals and tasks, and is offered nothing that would be refused', async () => {
  const email = 'viewer@harbour.example';
  const { subAccountId } = place;
  await place.admin(`user invite --email ${email} --role viewer --sub-account ${subAccountId}`);
  const { page, url, faults } = await openConsole(browser, place, {}, email);
  await chatWith({ url, subAccountId }, 'Radia Perlman', 'Hello');
  const refused: string[] = [];
  page.on('response', (one) => one.status() === 403 && refused.push(one.url()));
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByText('Radia Perlman')
    .first()
    .click(PATIENT);
  const main = page.getByRole('main');
  await page.getByRole('log').getByText('Hello').waitFor();
  for (const name of ['Assign', 'Snooze', 'Close', 'Send', 'More actions']) {
    expect(await main.getByRole('button', { name, exact: true }).count()).toBe(0);
  }
  expect(await main.getByRole('textbox', { name: 'Reply' }).count()).toBe(0);
  await page.keyboard.press('e');
  expect(await axeFindings(page)).toEqual([]);
  for (const name of ['Opportunities', 'Tasks', 'Calendar', 'Contacts']) {
    await page.goto(`${url}/console/${subAccountId}/${name.toLowerCase()}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await main.getByRole('button', { name: 'Move to…' }).count()).toBe(0);
    expect(await main.getByRole('button', { name: /^New / }).count()).toBe(0);
  }
  // A contact is read, whichever tab shows it.
  await page.getByRole('link', { name: /Radia Perlman/ }).click();
  await page.getByRole('tab', { name: 'Details' }).click(PATIENT);
  const firstName = main.getByRole('textbox', { name: 'First name' });
  await firstName.waitFor(PATIENT);
  expect(await main.getByRole('textbox').count()).toBeGreaterThan(8);
  for (const field of await main.getByRole('textbox').all()) {
    expect(await field.isEditable()).toBe(false);
  }
  for (const name of [/Stage/, /Assigned to/]) {
    expect(await main.getByRole('button', { name }).isDisabled()).toBe(true);
  }
  for (const tab of ['Details', 'Consent', 'Timeline']) {
    await page.getByRole('tab', { name: tab }).click();
    const changing = /^(?:Save|New|Book|Actions|Suppress|Allow)/;
    expect(await main.getByRole('button', { name: changing }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  }
  expect([refused, faults]).toEqual([[], []]);
});

test('an integrator has the page Webhooks alone, and is asked for nothing that would be refused', async () => {
  const email = 'integrator@harbour.example';
  const { subAccountId } = place;
  await place.admin(`user invite --email ${email} --role integrator --sub-account ${subAccountId}`);
  const { link } = await place.admin(`user link --email ${email}`);
  const url = await place.url();
  const page = await openPage(browser, { locale: 'en-GB', reducedMotion: 'reduce' });
  const refused: string[] = [];
  page.on('response', (one) => one.status() === 403 && refused.push(one.url()));
  await page.goto(url + new URL(link).pathname + new URL(link).hash);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor(PATIENT);
  const menu = page.getByRole('navigation', { name: 'Main' });
  expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Webhooks']);
  await page.getByRole('tab', { name: 'Event feed' }).click();
  await page.getByRole('table', { name: 'Event feed' }).waitFor(PATIENT);
  await page.goto(`${url}/console/${subAccountId}/contacts`);
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor(PATIENT);
  await page.getByRole('button', { name: 'New subscription' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(refused).toEqual([]);
});
