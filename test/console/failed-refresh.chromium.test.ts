import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';

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

const REFUSED = { error: { code: 'FORBIDDEN', message: 'not now' } };

/** Loses the connection twice; each time the page reads everything again, and `path` is refused. */
async function failToRefresh(page: Page, path: string): Promise<void> {
  await page.route(`**/api/v1/${path}`, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 403, json: REFUSED })
      : route.continue(),
  );
  // The second answer arrives after the page has shown what follows from the first.
  for (let time = 1; time <= 2; time += 1) {
    const refused = page.waitForResponse((response) => response.status() === 403, PATIENT);
    await page.context().setOffline(true);
    await page.getByText('Offline.').waitFor(PATIENT);
    await page.context().setOffline(false);
    await refused;
  }
}

/** Returns the text of a field, without waiting for it: undefined if it is gone. */
const textIn = async (field: Locator): Promise<string | undefined> =>
  (await field.isVisible()) ? field.inputValue() : undefined;

test('a campaign that is written stays while the server refuses to list templates again', async () => {
  const { page, url } = await openConsole(browser, place);
  const source = JSON.stringify({
    lists: [{ key: 'chosen', name: 'Chosen' }],
    templates: [{ key: 'letter', name: 'Letter', html: '<html><body>{{content}}</body></html>' }],
  });
  await callFrom(page, place, ['POST', '/manifest/apply'], { source });
  await page.goto(`${url}/console/${place.subAccountId}/campaigns/new`);
  const subject = page.getByLabel('Subject');
  await subject.fill('Spring', PATIENT);
  await failToRefresh(page, 'campaign-templates');
  expect(await textIn(subject)).toBe('Spring');
});

test('an opportunity that is changed stays open while the server refuses to return it', async () => {
  const { page, url } = await openConsole(browser, place);
  const [{ id: pipelineId }] = await callFrom(page, place, ['GET', '/pipelines']);
  const contact = { firstName: 'Ada', lastName: 'Lovelace' };
  const { id: contactId } = await callFrom(page, place, ['POST', '/contacts'], contact);
  const deal = { name: 'Implant', pipelineId, contactId };
  const { id } = await callFrom(page, place, ['POST', '/opportunities'], deal);
  await page.goto(`${url}/console/${place.subAccountId}/opportunities?deal=${id}`);
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
  await name.fill('Two implants', PATIENT);
  await failToRefresh(page, `opportunities/${id}`);
  expect(await textIn(name)).toBe('Two implants');
});

test('settings that are changed stay while the server refuses to return them', async () => {
  const { page, url } = await openConsole(browser, place);
  await page.goto(`${url}/console/${place.subAccountId}/settings?tab=general`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Harbour East', PATIENT);
  await failToRefresh(page, 'manifest');
  expect(await textIn(name)).toBe('Harbour East');
});
