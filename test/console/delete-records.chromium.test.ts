import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

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

/** The events, also those that no worker has taken yet. */
const eventNames = async (): Promise<string[]> =>
  withClient(place.database.url, async (client) => {
    const events = await client.query('select name from events order by id');
    const outbox = await client.query('select name from outbox order by id');
    return [...events.rows, ...outbox.rows].map(({ name }) => name);
  });

test('a deal, a task and their contact are deleted, each after a question', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const at = (path: string) => `${url}/console/${place.subAccountId}/${path}`;
  const call = (path: string, body?: object) =>
    callFrom(page, place, [body ? 'POST' : 'GET', path], body);
  const [{ id: pipelineId }] = await call('/pipelines');
  const { id: contactId } = await call('/contacts', { firstName: 'Ada', lastName: 'Lovelace' });
  await call('/opportunities', { name: 'Denture', pipelineId, contactId });
  await call('/tasks', { title: 'Take an impression', contactId });
  const before = (await eventNames()).length;
  const remove = async (editor: string, name: string) => {
    const dialog = page.getByRole('dialog', { name: editor });
    await dialog.getByRole('button', { name: 'Delete' }).click(PATIENT);
    const question = page.getByRole('dialog', { name: `Delete ${name}?` });
    expect(await axeFindings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };
  await page.goto(at('opportunities?view=list'));
  await page.getByRole('link', { name: 'Denture' }).click(PATIENT);
  await remove('Edit opportunity', 'Denture');
  await page.getByRole('row', { name: /Denture/ }).waitFor({ state: 'detached' });
  await page.goto(at('tasks?view=open'));
  await page.getByRole('button', { name: 'Take an impression', exact: true }).click(PATIENT);
  await remove('Edit task', 'Take an impression');
  await page.getByText('Take an impression').last().waitFor({ state: 'detached' });
  await page.goto(at(`contacts/${contactId}`));
  await page.getByRole('button', { name: 'Actions for this person' }).click(PATIENT);
  await page.getByRole('menuitem', { name: 'Delete contact' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete Ada Lovelace?' });
  await question.getByRole('button', { name: 'Delete contact' }).press('Enter');
  await expect.poll(() => new URL(page.url()).pathname, PATIENT).toMatch(/\/contacts$/);
  expect((await eventNames()).slice(before)).toEqual(['opportunity.deleted', 'task.deleted']);
  expect(faults).toEqual([]);
});
