import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
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
  expect(faults).toEqual([]);
});
