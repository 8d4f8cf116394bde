import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { openBrowser } from '../support/browser.ts';
import { startFollowing } from '../support/command-line.ts';
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

/** Returns the times that do not fit in their cells. */
const cutTimes = (page: Page): Promise<string[]> =>
  page
    .locator('td:has(time)')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    );

/** Returns where a text of the table begins, in pixels. */
const leftOf = (page: Page, text: string): Promise<number> =>
  page
    .getByRole('table')
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().left;
    });

test('the events of a subscription since a time are sent again', async () => {
  const { page, url, faults } = await openConsole(browser, place, {
    timezoneId: 'America/New_York',
  });
  const { key } = await place.admin(
    `key create --name Hooks --sub-account ${place.subAccountId} --scopes webhooks:manage,contacts:write`,
  );
  const caller = { url, key };
  const { id } = await post(caller, 'webhooks', {
    url: 'https://example.com:9/hook',
    events: ['contact.created'],
  });
  await post(caller, 'contacts', { firstName: 'Ada', lastName: 'Lovelace' });
  await page.goto(`${url}/console/${place.subAccountId}/webhooks?subscription=${id}`);
  const table = page.getByRole('table', { name: 'Deliveries' });
  await table.waitFor();
  await page.getByText(/choose “Send test event” in its menu/).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay events' });
  await dialog.getByText('Since (Europe/Berlin)').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await dialog.waitFor({ state: 'detached' });

  // The event feed says why the event started no workflow.
  const file = join(await mkdtemp(join(tmpdir(), 'frontdesk-feed-')), 'workflow.yaml');
  await writeFile(
    file,
    `workflows:
      - { slug: tagged, name: Tagged, triggers: [{ on: contact.tag_added }], steps: [{ addTag: x }] }`,
  );
  await place.admin(`apply -f ${file} --sub-account ${place.subAccountId} --yes`);
  await rm(dirname(file), { recursive: true });
  // A worker publishes the event.
  const worker = startFollowing(['worker', '--json'], place.variables, 'test');
  await worker.next(1);
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto(`${url}/console/${place.subAccountId}/webhooks?tab=events`);
  await page.getByRole('button', { name: 'contact.created' }).first().click({ timeout: 60_000 });
  const event = page.getByRole('dialog', { name: 'contact.created' });
  await event.getByRole('button', { name: /Why did no workflow start/ }).click();
  await page.getByRole('option', { name: 'Tagged' }).click();
  await event.getByText('No trigger listens to contact.created.').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // `Why?` of a failed delivery is in the zone of the sub-account, which the page names.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${url}/console/${place.subAccountId}/webhooks?status=failed`);
  await page.getByRole('button', { name: 'Why?' }).first().waitFor({ timeout: 60_000 });
  // No time is cut, and the texts of buttons are in line with their headers.
  expect(await cutTimes(page)).toEqual([]);
  expect(await leftOf(page, 'contact.created')).toBeCloseTo(await leftOf(page, 'Event'), 0);
  expect(await leftOf(page, 'Why?')).toBeCloseTo(await leftOf(page, 'Actions'), 0);
  // Failed events are what `Replay` opens on: it waits until it is known whether there are any.
  const counted = Promise.withResolvers<void>();
  await page.route('**/replay?*', async (route) => {
    await counted.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Replay' }).click();
  const replay = dialog.getByRole('button', { name: 'Replay', exact: true });
  expect(await replay.isDisabled()).toBe(true);
  counted.resolve();
  await dialog.getByRole('button', { name: /Only those that failed/ }).waitFor();
  expect(await replay.isDisabled()).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Why?' }).first().click();
  const why = page.getByRole('dialog', { name: 'Why?' });
  await why.getByText(/Check the URL of the subscription and that the receiver runs\.$/).waitFor();
  const moment = why.locator('time').first();
  const at = new Date((await moment.getAttribute('datetime')) ?? '');
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
  expect(await moment.textContent()).toContain(clock.format(at));
  await page.getByText('Times in Europe/Berlin').waitFor();
  expect(faults).toEqual([]);
});

test('a URL that is refused is explained at its field, until it is changed', async () => {
  const { page, url } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/webhooks`);
  await page.getByRole('button', { name: 'New subscription' }).click();
  const form = page.getByRole('dialog', { name: 'New subscription' });
  await form.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText(/^is refused: the address 127\.0\.0\.1 is not public/).waitFor();
  // No notice repeats it.
  expect(await page.getByText('That did not work').count()).toBe(0);
  await form.getByRole('textbox', { name: 'URL' }).fill('https://example.com:9/other');
  await form.getByText(/^is refused/).waitFor({ state: 'detached' });
  await form.getByRole('textbox', { name: 'Description' }).fill('Data warehouse');
  await form.getByRole('button', { name: 'Save' }).click();
  const copying = page.getByRole('dialog', { name: 'Copy the signing secret' });
  const secret = copying.getByRole('textbox', { name: 'Signing secret' });
  expect(await secret.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  await copying.getByRole('button', { name: 'Done' }).click();

  // The list names the subscription, and shows how long the former secret is valid.
  await page.getByRole('tab', { name: 'Subscriptions' }).click();
  const row = page.getByRole('row', { name: /Data warehouse/ });
  await row.getByText('Active').waitFor();
  await row.getByRole('button', { name: /Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const rotating = page.getByRole('dialog', { name: 'Rotate secret' });
  await rotating.getByRole('button', { name: /Keep the former secret valid/ }).click();
  await page.getByRole('option', { name: 'For another hour' }).click();
  await rotating.getByRole('button', { name: 'Rotate secret' }).click();
  await copying.getByText(/^The former secret is valid until .* signed with both\.$/).waitFor();
  await copying.getByRole('button', { name: 'Done' }).click();
  await row.getByText(/^The former secret is valid until/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await row.getByRole('button', { name: 'End now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
  await row.getByText(/^The former secret/).waitFor({ state: 'detached' });

  // A subscription that was disabled says why.
  await row.getByRole('button', { name: /Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await row.getByText('Disabled by request').waitFor();
});

test('a receiver that fails is shown, with what waits for it and what to do', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const { key } = await place.admin(
    `key create --name Failing --sub-account ${place.subAccountId} --scopes webhooks:manage`,
  );
  const { id } = await post({ url, key }, 'webhooks', FAILING);
  await withClient(place.database.url, async (client) => {
    const { rows } = await client.query<{ id: string }>(WRITE_EVENT, [place.subAccountId]);
    await client.query(FAIL, [place.subAccountId, id]);
    await client.query(WRITE_ATTEMPTS, [place.subAccountId, id, rows[0]?.id]);
  });
  const hooks = `${url}/console/${place.subAccountId}/webhooks`;
  await page.goto(hooks);
  const warning = page.getByRole('alert').filter({ hasText: 'Importer does not accept' });
  await warning.getByText(/^142 failures in a row since .* one at a time until one/).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // A pending delivery does not name a time in the past.
  await warning.getByRole('button', { name: 'Show failed deliveries' }).click();
  const table = page.getByRole('table', { name: 'Deliveries' });
  await table.getByText('503').waitFor();
  await page.goto(`${hooks}?status=pending`);
  const waiting = table.getByRole('row', { name: /task\.created/ });
  await waiting.getByText('waits for the receiver').waitFor();
  expect(await waiting.getByText(/^due/).count()).toBe(0);
  await table.getByRole('button', { name: 'task.created' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'task.created' });
  await dialog.getByText('waits for the receiver').waitFor();
  await dialog.getByRole('button', { name: 'Why?' }).click();
  await page.getByText(/The last 142 attempts failed, so Frontdesk tries one/).waitFor();

  // The dialog of a failed attempt shows the new one after a retry.
  await page.goto(`${hooks}?status=failed&subscription=${id}`);
  await table.getByRole('button', { name: 'task.created' }).click();
  await dialog.getByText('Failed').waitFor();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Queued to be sent again').waitFor();
  await dialog.getByText('Attempt 3').waitFor();
  await dialog.getByText('Pending').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // Events are chosen; a choice without deliveries says so.
  await page.getByRole('button', { name: /Event$/ }).click();
  await page.getByRole('option', { name: 'invoice.paid' }).click();
  await page.getByText('No deliveries match').waitFor();
  await page.getByRole('button', { name: 'Show all deliveries' }).click();
  await table.getByRole('button', { name: 'task.created' }).first().waitFor();

  await page.getByRole('button', { name: 'Replay' }).click();
  const replaying = page.getByRole('dialog', { name: 'Replay events' });
  await replaying.getByText('142 failures in a row').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Subscriptions' }).click();
  const row = page.getByRole('row', { name: /Importer/ });
  await row.getByText('142 failures in a row').waitFor();
  expect(await row.getByText('Active').count()).toBe(0);

  // The feed begins with the newest, and leads to the deliveries.
  await page.getByRole('tab', { name: 'Event feed' }).click();
  const feed = page.getByRole('table', { name: 'Event feed' });
  await feed.getByRole('row').nth(1).getByText('Call Ada back').waitFor();
  await page.getByRole('button', { name: /Event$/ }).click();
  await page.getByRole('option', { name: 'task.created' }).click();
  await feed.getByRole('button', { name: 'task.created' }).click();
  await dialog.getByText('"Call Ada back"').waitFor();
  await dialog.getByRole('button', { name: 'Show deliveries' }).click();
  await page.getByRole('button', { name: 'Deliveries of one event' }).waitFor();
  await table.getByRole('button', { name: 'task.created' }).first().waitFor();
  expect(faults).toEqual([]);
});

const FAILING = {
  url: 'https://example.com:9/import',
  events: ['task.created'],
  description: 'Importer',
};

async function post(
  { url, key }: { readonly url: string; readonly key: string },
  path: string,
  body: object,
): Promise<{ readonly id: string }> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return ((await response.json()) as { data: { id: string } }).data;
}

const WRITE_EVENT = `insert into events (sub_account_id, id, position, name, data, occurred_at)
  values ($1, gen_random_uuid(), nextval('event_positions'), 'task.created',
    '{"taskId":"7","title":"Call Ada back"}', now())
  returning id`;

/** What 142 failures in a row leave behind. No worker tries meanwhile. */
const FAIL = `update webhook_subscriptions set consecutive_failures = 142,
    failing_since = now() - interval '2 hours', paused_until = now() + interval '1 hour'
  where sub_account_id = $1 and id = $2`;

const WRITE_ATTEMPTS = `insert into webhook_deliveries (sub_account_id, id, subscription_id,
    event_id, event, attempt, trigger, status, response_status, response_body, created_at,
    next_attempt_at)
  values ($1, '01900000-0000-7000-8000-000000000001', $2, $3, 'task.created', 1, 'scheduled',
      'failed', 503, 'down', now() - interval '1 hour', null),
    ($1, '01900000-0000-7000-8000-000000000002', $2, $3, 'task.created', 2, 'scheduled',
      'pending', null, null, now() - interval '1 hour', now() - interval '30 minutes')`;
