import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startFollowing } from '../support/command-line.ts';
import { axeFindings, install, openConsole, type Installation } from '../support/console.ts';

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

/** Returns where a text begins, in pixels. */
const leftOf = (page: Page, text: string): Promise<number> =>
  page
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
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBeLessThan(300);
    return ((await response.json()) as { data: { id: string } }).data;
  };
  const { id } = await post('webhooks', {
    url: 'https://example.com:9/hook',
    events: ['contact.created'],
  });
  await post('contacts', { firstName: 'Ada', lastName: 'Lovelace' });
  await page.goto(`${url}/console/${place.subAccountId}/webhooks?subscription=${id}`);
  const table = page.getByRole('table', { name: 'Deliveries' });
  await table.waitFor();
  await page.getByText(/choose “Send test event” in its menu/).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send events again' });
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
  // Failed events are what `Replay` opens on.
  await page.getByRole('button', { name: 'Replay' }).click();
  await dialog.getByRole('button', { name: /Only those that failed/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Why?' }).first().click();
  const why = page.getByRole('dialog', { name: 'Why?' });
  await why.getByText(/then retry the delivery\.$/).waitFor();
  const moment = why.locator('time').first();
  const at = new Date((await moment.getAttribute('datetime')) ?? '');
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
  expect(await moment.textContent()).toContain(clock.format(at));
  await page.getByText('Times in Europe/Berlin').waitFor();
  expect(faults).toEqual([]);
});

test('a URL that is refused is explained at its field, until another one is saved', async () => {
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
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'Copy the signing secret' }).waitFor();
});
