import { Client } from 'pg';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };
const REASON = '550 5.1.1 Recipient address rejected: User unknown in virtual mailbox table';

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

/** Stores a campaign of which one mail failed; returns its id. */
async function failedCampaign(contactId: string): Promise<string> {
  const client = new Client(place.database.url);
  await client.connect();
  try {
    const { rows } = await client.query(
      `with campaign as (
         insert into campaigns (sub_account_id, id, channel, name, subject, content_html, layout,
           layout_html, status, created_at, updated_at)
         values ($1, gen_random_uuid(), 'email', 'Spring', 'News', '', 'Letter', '', 'sent', now(), now())
         returning id
       )
       insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
         status, error_code, error_message, settled_at)
       select $1, gen_random_uuid(), id, $2, 'ada@example.com', 'ada@example.com',
         'failed', 'rejected', $3, now() from campaign
       returning campaign_id as id`,
      [place.subAccountId, contactId, REASON],
    );
    return rows[0].id;
  } finally {
    await client.end();
  }
}

/** Returns whether nothing of an element is cut off by its cell. */
const isWhole = (element: Locator): Promise<boolean> =>
  element.evaluate((one: any) => {
    const cell = one.closest('td, th').getBoundingClientRect();
    const own = one.getBoundingClientRect();
    return own.width > 0 && own.right <= cell.right && own.bottom <= cell.bottom;
  });

test('the reason of a mail that failed, and its time, are read without scrolling', async () => {
  // Times with AM and PM are the widest.
  const { page, url, faults } = await openConsole(browser, place, { locale: 'en-US' });
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const id = await failedCampaign((await callFrom(page, place, ['POST', '/contacts'], person)).id);
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/console/${place.subAccountId}/campaigns/${id}`);
    const row = page.getByRole('row', { name: /Ada Lovelace/ });
    await row.waitFor(PATIENCE);
    const reason = row.getByText(REASON).filter({ visible: true });
    expect([width, await isWhole(reason)]).toEqual([width, true]);
    expect(await isWhole(row.getByRole('button', { name: 'Why?' }))).toBe(true);
    const times = await row.locator('time').filter({ visible: true }).all();
    expect(times).toHaveLength(width === 390 ? 0 : 1);
    expect(await Promise.all(times.map(isWhole))).toEqual(times.map(() => true));
    expect(await axeFindings(page)).toEqual([]);
  }
  expect(faults).toEqual([]);
});
