import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
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

test('the events of a subscription since a time are sent again', async () => {
  const { page, url, faults } = await openConsole(browser, place);
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
  await page.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send events again' });
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
  expect(faults).toEqual([]);
});
