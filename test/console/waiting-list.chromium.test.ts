import { Client } from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

let browser: Browser;
let installed: Installation;
let client: Client;
beforeAll(async () => {
  browser = await openBrowser();
  installed = await install();
  client = new Client(installed.database.url);
  await client.connect();
});
afterAll(async () => {
  await browser.close();
  await client.end();
  await installed.close();
});

const DAY_MS = 86_400_000;
const midnight = Math.floor(Date.now() / DAY_MS + 3) * DAY_MS;

/** Lets a new contact wait for a day; with an offer if a slot is held for them. */
async function wait(firstName: string, isOffered: boolean): Promise<void> {
  await client.query(WAIT, [
    installed.subAccountId,
    firstName,
    new Date(midnight),
    isOffered ? 'offered' : 'waiting',
  ]);
}

const WAIT = `with contact as (
    insert into contacts (sub_account_id, id, first_name, last_name, tags, additional_emails,
      additional_phones, custom_fields, dnd, lifecycle_stage, created_at, updated_at)
    values ($1, gen_random_uuid(), $2, 'Waiting', '{}', '{}', '{}', '{}', '{}', 'lead', now(), now())
    returning id
  ), entry as (
    insert into waiting_entries (sub_account_id, id, appointment_type_id, contact_id, from_time,
      until_time, timezone, state, created_at, updated_at)
    select $1, gen_random_uuid(), t.id, contact.id, $3, $3::timestamptz + interval '1 day', 'UTC',
      $4, now(), now()
    from contact, appointment_types t where t.sub_account_id = $1 returning *
  )
  insert into waiting_offers (sub_account_id, id, entry_id, calendar_id, appointment_type_id,
    start_time, end_time, blocked, member_ids, is_seat, state, expires_at, created_at)
  select $1, gen_random_uuid(), entry.id, t.calendar_id, t.id, $3::timestamptz + interval '9 hours',
    $3::timestamptz + interval '9 hours 30 minutes', tstzrange($3, $3), '{}', false, 'offered',
    now() + interval '1 hour', now()
  from entry join appointment_types t on t.sub_account_id = $1 where $4 = 'offered'`;

test('the calendar shows who waits, and removes them', async () => {
  await wait('Ada', true);
  await wait('Ben', false);
  const { page, url, faults } = await openConsole(browser, installed, {
    timezoneId: 'Europe/Berlin',
  });
  await page.goto(`${url}/console/${installed.subAccountId}/calendar`);
  await page.getByRole('button', { name: 'Waiting list 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Waiting list' });
  const place = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
  const ada = place('Ada Waiting');
  await ada.getByText(/ is held until /).waitFor();
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  await ada.getByText(day.format(new Date(midnight))).waitFor();
  await place('Ben Waiting')
    .getByText(/^Check-up · For /)
    .waitFor();
  expect(await dialog.getByText(/ is held until /).count()).toBe(1);
  expect(await axeFindings(page)).toEqual([]);
  await ada.getByRole('button', { name: 'Remove Ada Waiting' }).click();
  const confirm = page.getByRole('dialog', { name: 'Remove Ada Waiting' });
  await confirm.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Removed from the waiting list').waitFor();
  await ada.waitFor({ state: 'detached' });
  expect(await place('Ben Waiting').count()).toBe(1);
  await dialog.getByRole('link', { name: 'Ben Waiting' }).click();
  await page.getByRole('heading', { name: 'Ben Waiting' }).waitFor();
  expect(faults).toEqual([]);
});
