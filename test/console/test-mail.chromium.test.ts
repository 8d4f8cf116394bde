import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };

let browser: Browser;
let place: Installation;
beforeAll(async () => {
  [browser, place] = await Promise.all([openBrowser(), install()]);
  const { database, subAccountId } = place;
  await withClient(database.url, (client) =>
    client.query('update sub_accounts set sandbox = true where id = $1', [subAccountId]),
  );
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-test-mail-'));
  const file = join(folder, 'manifest.json');
  const manifest = {
    lists: [{ key: 'clients', name: 'Clients', filter: { tags: ['client'] } }],
    templates: [
      { key: 'letter', name: 'Newsletter', html: '<b>{{content}}</b>', defaultList: 'clients' },
    ],
  };
  await writeFile(file, JSON.stringify(manifest));
  await place.admin(`apply -f ${file} --sub-account ${subAccountId} --yes`);
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

test('a sandbox shows a test mail, and says nothing of sending it', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  await callFrom(page, place, ['POST', '/contacts'], { ...person, tags: ['client'] });
  await page.goto(`${url}/console/${place.subAccountId}/campaigns/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring', PATIENCE);
  await page.getByLabel('Subject').fill('Hello {{firstName}}');
  await page.getByLabel('Content').fill('Spring is here.');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Send test mail' }).click(PATIENCE);
  const question = page.getByRole('dialog', { name: 'Send test mail' });
  await question.getByText('This sub-account is a sandbox: the test mail is not sent.').waitFor();
  expect(await question.getByText(/will be sent|owner@/).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await question.getByRole('button', { name: 'Show mail' }).click();
  const mail = page.getByRole('dialog', { name: 'Test mail captured' });
  await mail.getByText('Hello Ada').waitFor(PATIENCE);
  expect(faults).toEqual([]);
});
