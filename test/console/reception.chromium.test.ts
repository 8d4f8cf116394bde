import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { openBrowser } from '../support/browser.ts';
import { chatWith, install, openConsole, type Installation } from '../support/console.ts';

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

test('an appointment is booked from a conversation, at the next free time, and opened there', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chatWith({ url, subAccountId: place.subAccountId }, 'Grace Hopper', 'Are you open?');
  await page.getByRole('link', { name: /Grace Hopper/ }).click(PATIENT);
  const panel = page.getByRole('complementary', { name: 'Contact details' });
  await panel.getByRole('button', { name: 'Book' }).click(PATIENT);
  const dialog = page.getByRole('dialog', { name: 'New appointment' });
  await dialog.getByRole('option', { selected: true }).first().waitFor(PATIENT);
  expect(await dialog.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe(
    'Grace Hopper',
  );
  await dialog.getByRole('button', { name: 'Book' }).click();
  await page.getByText('Appointment booked').waitFor(PATIENT);
  await panel.getByRole('link').nth(1).click(PATIENT);
  await page.getByRole('dialog', { name: /Grace Hopper/ }).waitFor(PATIENT);
  expect(faults).toEqual([]);
});

test('a task names its contact, and a click on it opens the editor', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chatWith({ url, subAccountId: place.subAccountId }, 'Ada Lovelace', 'Please call me');
  await page.goto(`${url}/console/${place.subAccountId}/tasks`);
  await page.getByRole('button', { name: 'New task' }).click(PATIENT);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Call Ada', PATIENT);
  await dialog.getByRole('combobox', { name: 'Contact' }).fill('Ada');
  await page.getByRole('option', { name: /Ada Lovelace/ }).click(PATIENT);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Call Ada', exact: true }).click(PATIENT);
  const editor = page.getByRole('dialog', { name: 'Edit task' });
  await editor.getByRole('textbox', { name: 'Note' }).fill('after 9:00', PATIENT);
  await editor.getByRole('textbox', { name: 'Title' }).fill('Call Ada back');
  await editor.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Call Ada back', exact: true }).click(PATIENT);
  expect(await editor.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('after 9:00');
  await page.waitForFunction(
    `document.querySelector('[role=dialog] input[role=combobox]')?.value === 'Ada Lovelace'`,
  );
  expect(faults).toEqual([]);
});

const FIRST = `select start_time from appointments where sub_account_id = $1 and title = 'No. 1'`;

test('the panel shows what is open for the contact, however much there is for others', async () => {
  const { page, url, faults } = await openConsole(browser, place, { timezoneId: 'Asia/Tokyo' });
  const { database, subAccountId } = place;
  await chatWith({ url, subAccountId }, 'Mary Jackson', 'When is my appointment?');
  const run = (statement: string) =>
    withClient(database.url, (client) => client.query(statement, [subAccountId]));
  await run(
    `insert into appointments (sub_account_id, id, calendar_id, contact_id, title, start_time,
        end_time, status, assigned_at, created_at, updated_at)
      select c.sub_account_id, ('ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid, c.id, contact.id,
        'No. ' || n, now() + n * interval '1 day', now() + n * interval '25 hours', 'scheduled', now(), now(), now()
      from generate_series(1, 102) n
        join calendars c on c.sub_account_id = $1
        left join contacts contact on contact.sub_account_id = $1 and contact.first_name = 'Mary' and n < 3`,
  );
  await run(
    `insert into tasks (sub_account_id, id, contact_id, title, status, priority, created_at, updated_at)
      select sub_account_id, gen_random_uuid(), id, 'Call ' || wanted, wanted, 'medium', now(), now()
      from contacts, unnest(array['todo', 'in_review', 'cancelled']) as wanted
      where sub_account_id = $1 and first_name = 'Mary'`,
  );
  await page.getByRole('link', { name: /Mary Jackson/ }).click(PATIENT);
  const panel = page.getByRole('complementary', { name: 'Contact details' });
  await panel.getByRole('link', { name: 'No. 1', exact: true }).waitFor(PATIENT);
  await panel.getByRole('link', { name: 'Call in_review' }).waitFor(PATIENT);
  const records = await panel.getByRole('link').allTextContents();
  expect(records.slice(1)).toEqual(['No. 1', 'No. 2', 'Call todo', 'Call in_review']);
  const [first] = (await run(FIRST)).rows;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
  await panel.getByText(time.format(first.start_time)).first().waitFor(PATIENT);
  // All times are in the zone of the sub-account, which the page names.
  await page.getByText('Times in Europe/Berlin').waitFor();
  const log = page.getByRole('log');
  const sent = log.locator('time').last();
  const at = new Date((await sent.getAttribute('datetime')) ?? '');
  expect(await sent.textContent()).toContain(time.format(at));
  await page.goto(`${url}/console/${subAccountId}/tasks`);
  await page.getByText('Times in Europe/Berlin').waitFor(PATIENT);
  await page.getByRole('button', { name: 'New task' }).click();
  const hour = page.getByRole('dialog').getByRole('spinbutton', { name: /^hour/ });
  expect(await hour.getAttribute('aria-valuetext')).toBe('09');
  expect(faults).toEqual([]);
});

test('a search of all conversations finds closed ones', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chatWith({ url, subAccountId: place.subAccountId }, 'Dorothy Vaughan', 'Thank you');
  const row = page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /Dorothy Vaughan/ });
  await row.click(PATIENT);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await row.waitFor({ state: 'detached', ...PATIENT });
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('vaughan');
  await row.waitFor(PATIENT);
  expect(faults).toEqual([]);
});

test('a sandbox says so below its name, and neither is cut off', async () => {
  const { page, faults } = await openConsole(browser, place);
  const { database, subAccountId } = place;
  const rename = (name: string, isSandbox: boolean) =>
    withClient(database.url, (client) =>
      client.query('update sub_accounts set name = $2, sandbox = $3 where id = $1', [
        subAccountId,
        name,
        isSandbox,
      ]),
    );
  await rename('Harbour Dental', true);
  await page.reload();
  const button = page.getByRole('button', { name: 'Harbour Dental Sandbox' });
  await button.waitFor(PATIENT);
  for (const text of ['Harbour Dental', 'Sandbox']) {
    const isWhole = await button
      .getByText(text, { exact: true })
      .evaluate((element: any) => element.scrollWidth <= element.clientWidth);
    expect([text, isWhole]).toEqual([text, true]);
  }
  await rename('Harbour', false);
  expect(faults).toEqual([]);
});

test('the composer says that a contact gets no messages before one is sent', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const { subAccountId } = place;
  await chatWith({ url, subAccountId }, 'Edith Clarke', 'Hello');
  await page.getByRole('link', { name: /Edith Clarke/ }).click(PATIENT);
  await page.getByRole('link', { name: 'Edith Clarke', exact: true }).click(PATIENT);
  await page.getByRole('tab', { name: 'Consent' }).click(PATIENT);
  await page.getByText('Block all channels').click(PATIENT);
  await page.getByRole('switch', { name: 'Block all channels', checked: true }).waitFor(PATIENT);
  await page.goBack();
  await page.goto(`${url}/console/${subAccountId}/inbox`);
  await page.getByRole('link', { name: /Edith Clarke/ }).click(PATIENT);
  await page.getByText('This contact gets no messages on this channel.').waitFor(PATIENT);
  const box = page.getByRole('textbox', { name: 'Reply' });
  await box.fill('See you soon');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await box.press('Control+Enter');
  expect(await box.inputValue()).toBe('See you soon');
  await page.getByText('Internal note', { exact: true }).click();
  expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  expect(faults).toEqual([]);
});
