import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { openBrowser } from '../support/browser.ts';
import { chatWith, install, openConsole, type Installation } from '../support/console.ts';

const PATIENT = { timeout: 60_000 };
/** More than a page of the list. */
const CONVERSATIONS = 60;
/** The client tries a call three times. */
const TRIES = 3;

let browser: Browser;
let place: Installation;
let key: string;
beforeAll(async () => {
  browser = await openBrowser();
  place = await install();
  const line = `key create --sub-account ${place.subAccountId} --name test --scopes all`;
  ({ key } = await place.admin(line));
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${await place.url()}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: unknown }).data;
}

test('a page of the list that fails is requested again when the user asks for it', async () => {
  for (const index of Array.from({ length: CONVERSATIONS }, (_, at) => at + 1)) {
    const email = `${index}@example.com`;
    const contact = await call('POST', '/contacts', {
      firstName: 'No.',
      lastName: `${index}`,
      email,
    });
    await call('POST', '/conversations', { contactId: contact.id, channel: 'email' });
  }
  const { page } = await openConsole(browser, place);
  let calls = 0;
  await page.route(/conversations\?.*cursor/, (route) => {
    calls += 1;
    const error = { code: 'INTERNAL_ERROR', message: 'not now' };
    return route.fulfill({ status: 500, json: { error } });
  });
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('link').first().waitFor(PATIENT);
  await list.evaluate((element: any) => element.parentElement.scrollTo(0, element.scrollHeight));
  const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await retry.waitFor(PATIENT);
  await page.waitForTimeout(3_000);
  expect(calls).toBeLessThanOrEqual(TRIES);
  await page.unroute(/conversations\?.*cursor/);
  await retry.click();
  await retry.waitFor({ state: 'detached', ...PATIENT });
  await list.evaluate((element: any) => element.parentElement.scrollTo(0, element.scrollHeight));
  await list.getByRole('link', { name: /No\. 1 / }).waitFor(PATIENT);
});

test('Send again says so if the contact gets no messages', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const { subAccountId, database } = place;
  await chatWith({ url, subAccountId }, 'Ada Lovelace', 'Hello');
  await page.getByRole('list', { name: 'Conversations' }).getByText('Ada Lovelace').click(PATIENT);
  await page.getByRole('textbox', { name: 'Reply' }).fill('Good morning', PATIENT);
  const sent = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/messages'),
  );
  await page.getByRole('button', { name: 'Send' }).click();
  await sent;
  const { rows } = await withClient(database.url, (client) =>
    client.query(
      `update messages set status = 'failed', error_message = 'the number is not in service'
        where sub_account_id = $1 and body_text = 'Good morning' returning conversation_id`,
      [subAccountId],
    ),
  );
  const thread = await call('GET', `/conversations/${rows[0].conversation_id}`);
  await call('PATCH', `/contacts/${thread.contactId}`, { dnd: { all: true } });
  await page.reload();
  await page.getByText('the number is not in service').waitFor(PATIENT);
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Not sent: the contact does not want messages').waitFor(PATIENT);
  expect(faults).toEqual([]);
});

test('a long message shows its beginning; a deal of the panel opens its editor', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const { subAccountId } = place;
  await chatWith({ url, subAccountId }, 'Grace Hopper', 'Hello');
  const [contact] = await call('GET', '/contacts?search=Hopper');
  const [pipeline] = await call('GET', '/pipelines');
  const deal = { name: 'Inlays', pipelineId: pipeline.id, contactId: contact.id };
  await call('POST', '/opportunities', deal);
  await page.getByRole('list', { name: 'Conversations' }).getByText('Grace Hopper').click(PATIENT);
  const [thread] = await call('GET', `/conversations?contactId=${contact.id}`);
  const note = { channel: 'live_chat', isInternal: true, bodyText: `${'On. '.repeat(6_000)}End.` };
  await call('POST', `/conversations/${thread.id}/messages`, note);
  const showAll = page.getByRole('button', { name: 'Show the whole message' });
  await showAll.waitFor(PATIENT);
  expect(await page.getByText('End.').count()).toBe(0);
  await showAll.click();
  await page.getByText('End.').waitFor(PATIENT);
  const panel = page.getByRole('complementary', { name: 'Contact details' });
  await panel.getByRole('link', { name: 'Inlays' }).click(PATIENT);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor(PATIENT);
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Inlays');
  expect(faults).toEqual([]);
});

test('a page that fails says so in its place, and the others stay', async () => {
  const { page } = await openConsole(browser, place);
  const files = /\/contacts-page-[^/]+\.js$/;
  await page.route(files, (route) => route.abort());
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Contacts' }).click(PATIENT);
  await page.getByRole('alert').getByText('Something went wrong').first().waitFor(PATIENT);
  await navigation.getByRole('link', { name: 'Inbox' }).click();
  await page
    .getByRole('list', { name: 'Conversations' })
    .waitFor({ state: 'attached', ...PATIENT });
  expect(await page.getByRole('alert').count()).toBe(0);
  const search = page.getByRole('searchbox', { name: 'Search contacts' });
  await navigation.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('alert').waitFor(PATIENT);
  await page.unroute(files);
  await page.getByRole('button', { name: 'Try again' }).click();
  await search.waitFor(PATIENT);
});

test('a page that failed is shown by its link once its file can be loaded', async () => {
  const { page } = await openConsole(browser, place);
  const files = /\/contacts-page-[^/]+\.js$/;
  await page.route(files, (route) => route.abort());
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Contacts' }).click(PATIENT);
  await page.getByRole('alert').waitFor(PATIENT);
  await page.unroute(files);
  await navigation.getByRole('link', { name: 'Inbox' }).click();
  await navigation.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('searchbox', { name: 'Search contacts' }).waitFor(PATIENT);
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a conversation that does not exist says so, and its panel waits for nothing', async () => {
  const { page, url } = await openConsole(browser, place);
  const unknown = '00000000-0000-7000-8000-000000000000';
  await page.goto(`${url}/console/${place.subAccountId}/inbox/${unknown}`);
  await page.getByRole('alert').getByText('This record does not exist').waitFor(PATIENT);
  const panel = page.getByRole('complementary', { name: 'Contact details' });
  await expect.poll(() => panel.locator('*').count(), PATIENT).toBe(0);
});
