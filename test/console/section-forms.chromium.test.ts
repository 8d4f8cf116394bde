import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, picture } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };
const EXACT = { exact: true };

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

const tabOf = (url: string, tab: string) =>
  `${url}/console/${place.subAccountId}/settings?tab=${tab}`;

const exported = () => place.admin(`export --sub-account ${place.subAccountId}`);

test('create a calendar with its services, change and remove them', async () => {
  const before = await exported();
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(tabOf(url, 'calendars'));
  await page.getByRole('button', { name: 'New calendar' }).click(PATIENCE);
  const dialog = page.getByRole('dialog', { name: 'New calendar' });
  await dialog.getByLabel('Name', { exact: true }).fill('Füße & Hände');
  await dialog.getByText('Anna Weber').click();
  await dialog.getByRole('button', { name: 'New bookable service' }).click();
  const services = dialog.getByRole('group', { name: 'Bookable services' });
  await services.getByLabel('Name', { exact: true }).fill('First visit');
  await services.getByLabel('Duration, in minutes').fill('45');
  await services.getByLabel('Price').fill('45,50');
  await services.getByText('45 min · €45.50').waitFor();
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('lisb');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await dialog.getByLabel('Hours on Saturday').fill('nine');
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'new-calendar');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // What the server refuses is said at the field, and nowhere else.
  await dialog.getByText(/must be opening hours/).waitFor(PATIENCE);
  expect(await page.getByText(/manifest:|\/calendars\//).count()).toBe(0);
  await dialog.getByLabel('Hours on Saturday').fill('10:00-12:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached', ...PATIENCE });
  await page.getByRole('button', { name: 'Copy' }).last().waitFor(PATIENCE);
  const workday = ['09:00-17:00'];
  const created = {
    key: 'fusse-hande',
    name: 'Füße & Hände',
    type: 'round-robin',
    timezone: 'Europe/Lisbon',
    members: ['anna'],
    hours: {
      mon: workday,
      tue: workday,
      wed: workday,
      thu: workday,
      fri: workday,
      sat: ['10:00-12:00'],
    },
    types: [
      { key: 'first-visit', name: 'First visit', slug: 'first-visit', duration: 45, price: 45.5 },
    ],
  };
  expect((await exported()).calendars).toMatchObject([...before.calendars, created]);

  // A second service with the same name gets another key; the first one is removed after asking.
  await page.getByRole('button', { name: 'Edit Füße & Hände' }).click();
  const edited = page.getByRole('dialog', { name: 'Füße & Hände' });
  await edited.getByRole('button', { name: 'New bookable service' }).click();
  await edited.getByLabel('Name', { exact: true }).last().fill('First visit');
  await edited.getByRole('button', { name: 'Remove First visit' }).first().click();
  const asked = page.getByRole('dialog', { name: 'Remove First visit' });
  await asked.getByText(/booking page ends/).waitFor();
  await asked.getByRole('button', { name: 'Remove' }).click();
  // A day off has no hours; a date that is missing is named at its field.
  const days = edited.getByRole('group', { name: 'Days off and special hours' });
  await days.getByRole('button', { name: 'New day' }).click();
  await edited.getByRole('button', { name: 'Save' }).click();
  await days.getByText('is required').waitFor(PATIENCE);
  await picture(page, 'day-off');
  await days.getByRole('spinbutton', { name: /day/ }).first().click();
  await page.keyboard.type('24122099');
  await days.getByText('24 Dec 2099').waitFor(PATIENCE);
  await edited.getByLabel('Confirmation').fill('See you {{appointment.start}}');
  await edited.getByLabel('Subject').fill('Booked');
  const reminders = edited.getByRole('group', { name: 'Reminders' });
  await reminders.getByRole('button', { name: 'New reminder' }).click();
  await reminders.getByRole('button', { name: /^Email Sent by/ }).click();
  await page.getByRole('option', { name: 'SMS' }).click();
  await reminders.getByLabel('Text').fill('Tomorrow!');
  await reminders.getByText('1 day before').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'notices');
  await edited.getByRole('button', { name: 'Save' }).click();
  await edited.waitFor({ state: 'detached', ...PATIENCE });
  expect((await exported()).calendars[1]).toMatchObject({
    ...created,
    overrides: [{ date: '2099-12-24', hours: [] }],
    confirmation: { channel: 'email', subject: 'Booked', body: 'See you {{appointment.start}}' },
    reminders: [{ before: 1_440, channel: 'sms', body: 'Tomorrow!' }],
    types: [{ key: 'first-visit-2', name: 'First visit', duration: 30 }],
  });

  // Without a text, there is no confirmation.
  await page.getByRole('button', { name: 'Edit Füße & Hände' }).click();
  await edited.getByLabel('Confirmation').fill('');
  await edited.getByRole('button', { name: 'Remove 1 day before' }).click();
  await edited.getByRole('button', { name: 'Save' }).click();
  await edited.waitFor({ state: 'detached', ...PATIENCE });
  const [, without] = (await exported()).calendars;
  expect([without.confirmation ?? null, without.reminders ?? []]).toEqual([null, []]);

  await page.getByRole('button', { name: 'Remove Füße & Hände' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Füße & Hände' });
  await question.getByText(/its services end: First visit\./).waitFor();
  await question.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('row', { name: /Füße/ }).waitFor({ state: 'detached', ...PATIENCE });
  expect(await exported()).toEqual(before);
  expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
});

test('create a form from the usual fields, and change their order', async () => {
  const before = await exported();
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(tabOf(url, 'forms'));
  await page.getByRole('button', { name: 'New form' }).click(PATIENCE);
  const dialog = page.getByRole('dialog', { name: 'New form' });
  await dialog.getByLabel('Name', { exact: true }).fill('Ask us');
  await dialog.getByRole('button', { name: 'Remove Last name' }).click();
  await dialog.getByRole('button', { name: 'Move Message up' }).click();
  await dialog.getByRole('button', { name: 'New field' }).click();
  const fields = dialog.getByRole('group', { name: 'Fields' });
  await fields.getByLabel('Label').fill('Topic');
  await fields.getByRole('button', { name: /^Text Type/ }).click();
  await page.getByRole('option', { name: 'Choice' }).click();
  await fields.getByLabel('Options, separated by commas').fill('Sales, Support');
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'new-form');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached', ...PATIENCE });
  const { forms } = await exported();
  expect(forms.slice((before.forms ?? []).length)).toMatchObject([
    {
      key: 'ask-us',
      name: 'Ask us',
      fields: [
        { name: 'firstname', label: 'First name', type: 'text', mapsTo: 'firstName' },
        { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
        { name: 'message', label: 'Message', type: 'textarea' },
        { name: 'phone', label: 'Phone', type: 'phone', mapsTo: 'phone' },
        { name: 'topic', label: 'Topic', type: 'select', options: ['Sales', 'Support'] },
      ],
    },
  ]);
  const address = page.getByRole('region', { name: 'Form pages' }).getByLabel('Ask us', EXACT);
  const pageUrl = await address.inputValue(PATIENCE);
  expect(pageUrl).toMatch(new RegExp(`^${url}/f/[\\da-f-]{36}$`));
  expect((await fetch(pageUrl)).status).toBe(200);
  await page.getByRole('link', { name: 'Open form Ask us' }).waitFor();
  await page.getByRole('button', { name: 'Remove Ask us' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Ask us' });
  await question.getByText(/First name, Email, Message/).waitFor();
  await question.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removed').first().waitFor(PATIENCE);
  expect(await exported()).toEqual(before);
  expect(faults).toEqual([]);
});

test('the name, brand, time zone and language of the sub-account are a form', async () => {
  const before = await exported();
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(tabOf(url, 'general'));
  await page.getByLabel('Name', { exact: true }).fill('Harbour Dental');
  await page.getByLabel('Brand', { exact: true }).fill('Harbour');
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('blue');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  const shownZone = await zone.inputValue();
  await zone.fill('Europe/Madrit');
  await zone.press('Tab');
  expect(await zone.inputValue()).toBe(shownZone);
  await zone.fill('lisb');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await page.getByRole('button', { name: /Language of customer pages/ }).click();
  await page.getByRole('option', { name: 'German' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/must be a colour/).waitFor(PATIENCE);
  await page.getByLabel('Choose a colour').fill('#1d4ed8');
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'general');
  await page.getByRole('button', { name: 'Save' }).click();
  // The name is on the page already.
  await page.getByRole('button', { name: /^Harbour Dental/ }).waitFor(PATIENCE);
  expect(await exported()).toEqual({
    ...before,
    subAccount: {
      ...before.subAccount,
      name: 'Harbour Dental',
      brand: 'Harbour',
      brandColor: '#1d4ed8',
      timezone: 'Europe/Lisbon',
      locale: 'de',
    },
  });
  await page.getByLabel('Brand', { exact: true }).fill('');
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('');
  await zone.fill('europe/paris');
  await zone.press('Tab');
  expect(await zone.inputValue()).toBe('Europe/Paris');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).last().waitFor(PATIENCE);
  await expect
    .poll(async () => (await exported()).subAccount, PATIENCE)
    .not.toHaveProperty('brandColor');
  expect((await exported()).subAccount.timezone).toBe('Europe/Paris');
  // Customers read German: so does what a new form begins with, however late the German texts arrive.
  const pressed = Promise.withResolvers<void>();
  await page.route(/\/de-\w+\.js$/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.goto(tabOf(url, 'forms'));
  await page.getByRole('button', { name: 'New form' }).click(PATIENCE);
  pressed.resolve();
  await page.getByRole('button', { name: 'Remove Vorname' }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Remove Nachricht' }).waitFor();
  expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
});

test('a class can show its free seats, and the chat has the color of the brand', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(tabOf(url, 'calendars'));
  await page.getByRole('button', { name: 'New calendar' }).click(PATIENCE);
  const dialog = page.getByRole('dialog', { name: 'New calendar' });
  await dialog.getByLabel('Name', { exact: true }).fill('Evening');
  const switched = dialog.getByText('Customers see the number of free seats');
  expect(await switched.count()).toBe(0);
  await dialog.getByRole('button', { name: /Appointments are given by/ }).click();
  await page.getByRole('option', { name: 'A class with several seats' }).click();
  await switched.click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached', ...PATIENCE });
  const { calendars } = await exported();
  expect(calendars.at(-1)).toMatchObject({ name: 'Evening', type: 'class', showSeats: true });

  await page.goto(tabOf(url, 'general'));
  const color = page.getByRole('textbox', { name: 'Colour', exact: true });
  await color.fill('#7a3e8e', PATIENCE);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', EXACT).waitFor(PATIENCE);
  await page.goto(tabOf(url, 'chat'));
  await page.getByPlaceholder('#7a3e8e').waitFor(PATIENCE);
  expect(faults).toEqual([]);
});

test('a user becomes a member of the team, so that appointments can be assigned to them', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await place.admin(
    `user invite --email heidi@harbour.example --name Heidi --role agent --sub-account ${place.subAccountId}`,
  );
  await page.goto(tabOf(url, 'team'));
  await page.getByText(/^Users sign in to the console/).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Actions for heidi@harbour.example' }).click();
  await page.getByText('Sees what agents see, but cannot change or delete anything.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'member-menu');
  await page.getByRole('menuitem', { name: 'Make team member' }).click();
  await page.getByText('Heidi can be assigned now').waitFor(PATIENCE);
  await page.getByRole('row', { name: /heidi@harbour.example Heidi Agent Yes/ }).waitFor(PATIENCE);
  expect((await exported()).team).toContainEqual({
    key: 'heidi',
    name: 'Heidi',
    email: 'heidi@harbour.example',
  });
  await page.getByRole('button', { name: 'Actions for heidi@harbour.example' }).click();
  await page.getByRole('menuitem', { name: 'New sign-in link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New sign-in link' }).click();
  await page.getByRole('textbox', { name: 'Sign-in link' }).waitFor(PATIENCE);

  // The audit trail says what was added, by its name.
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Settings: changed (1 added: team heidi)' }).click();
  await page
    .getByRole('cell', { name: /^Harbour/ })
    .first()
    .waitFor(PATIENCE);
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'audit');
  expect(faults).toEqual([]);
});
