import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf } from '../support/looks.ts';

const PATIENT = { timeout: 60_000 };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let browser: Browser;
let client: Client;
let place: Installation;
beforeAll(async () => {
  browser = await openBrowser();
  place = await install();
  client = new Client(place.database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await browser.close();
  await place.close();
});

/** Calls the API with the session of the page, and returns the data. */
const call = (page: Page, method: string, path: string, body?: object) =>
  callFrom(page, place, [method, path], body);

/** Creates a deal of a new contact. */
async function createDeal(page: Page, name: string, more: object = {}): Promise<{ id: string }> {
  const [{ id: pipelineId }] = await call(page, 'GET', '/pipelines');
  const contact = { firstName: 'Ada', lastName: 'Lovelace' };
  const { id: contactId } = await call(page, 'POST', '/contacts', contact);
  return call(page, 'POST', '/opportunities', { name, pipelineId, contactId, ...more });
}

const at = (url: string, path: string) => `${url}/console/${place.subAccountId}/${path}`;
const in30Days = () => new Date(Date.now() + 30 * 86_400_000).toISOString();

/** The events of all sub-accounts, also those that no worker has taken yet. */
const eventNames = async (): Promise<string[]> => {
  const events = await client.query('select name from events order by id');
  const outbox = await client.query('select name from outbox order by id');
  return [...events.rows, ...outbox.rows].map(({ name }) => name);
};

test('a deal is created and changed', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await call(page, 'POST', '/contacts', { firstName: 'Hedy', lastName: 'Lamarr' });
  await page.goto(at(url, 'opportunities'));
  await page.getByRole('button', { name: 'New opportunity' }).click(PATIENT);
  const dialog = page.getByRole('dialog', { name: 'New opportunity' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Veneers', PATIENT);
  await dialog.getByRole('combobox', { name: 'Contact' }).fill('Hedy');
  await page.getByRole('option', { name: /Hedy Lamarr/ }).click(PATIENT);
  await dialog.getByRole('textbox', { name: 'Value' }).fill('4,800.50');
  expect(await axeFindings(page)).toEqual([]);
  const before = await eventNames();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Veneers' }).click(PATIENT);
  const editor = page.getByRole('dialog', { name: 'Edit opportunity' });
  const value = editor.getByRole('textbox', { name: 'Value' });
  await expect.poll(() => value.inputValue(), PATIENT).toBe('4,800.5');
  await value.fill('');
  for (const [part, digits] of Object.entries({ day: '24', month: '12', year: '2030' })) {
    await editor.getByRole('spinbutton', { name: new RegExp(part) }).focus();
    await page.keyboard.type(digits);
  }
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('deal')).toBeNull();
  const [deal] = await call(page, 'GET', '/opportunities?search=Veneers');
  expect(deal).toMatchObject({ value: null, contactName: 'Hedy Lamarr' });
  // At noon in the sub-account's zone, so that it is the same day for most viewers.
  expect(new Date(deal.expectedCloseDate).toISOString()).toBe('2030-12-24T11:00:00.000Z');
  expect((await eventNames()).slice(before.length)).toEqual([
    'opportunity.created',
    'opportunity.updated',
  ]);
  expect(faults).toEqual([]);
});

test('the address of a deal that does not exist shows the board and says so', async () => {
  const { page, url } = await openConsole(browser, place);
  await page.goto(`${at(url, 'opportunities')}?deal=${crypto.randomUUID()}`);
  await page.getByText('opportunity not found').waitFor(PATIENT);
  await expect.poll(() => new URL(page.url()).searchParams.get('deal'), PATIENT).toBeNull();
  await page.getByRole('button', { name: 'New opportunity' }).waitFor(PATIENT);
  await page.close();
});

test("a contact's page starts a message, a task and a deal", async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const { id } = await call(page, 'POST', '/contacts', {
    firstName: 'Joan',
    lastName: 'Clarke',
    email: 'joan@example.com',
  });
  const begin = async (choice: string) => {
    await page.goto(at(url, `contacts/${id}`));
    await page.getByRole('button', { name: 'New', exact: true }).click(PATIENT);
    // A deal can be chosen once the pipelines were read.
    await page.getByRole('menuitem', { name: choice, exact: true }).click(PATIENT);
  };
  for (const _ of ['opens the conversation', 'finds it again']) {
    await begin('Email');
    await page.getByRole('heading', { name: 'Joan Clarke', level: 1 }).waitFor(PATIENT);
    await page.getByRole('textbox', { name: 'Reply' }).waitFor(PATIENT);
  }
  expect(await call(page, 'GET', `/conversations?contactId=${id}`)).toHaveLength(1);
  for (const choice of ['New task', 'New opportunity']) {
    await begin(choice);
    const contact = page.getByRole('dialog').getByRole('combobox', { name: 'Contact' });
    await expect.poll(() => contact.inputValue(), PATIENT).toBe('Joan Clarke');
  }
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Inlay');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Opportunity created').waitFor(PATIENT);
  await page.getByRole('tabpanel').getByText('Inlay').waitFor(PATIENT);
  expect(await axeFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('a field that is left before its search ends keeps its contact', async () => {
  const { page, url } = await openConsole(browser, place);
  const { id } = await call(page, 'POST', '/contacts', { firstName: 'Mary', lastName: 'Jackson' });
  await page.route(/\/contacts\?.*search=/, () => undefined);
  await page.goto(at(url, `contacts/${id}`));
  await page.getByRole('button', { name: 'New', exact: true }).click(PATIENT);
  await page.getByRole('menuitem', { name: 'New task', exact: true }).click(PATIENT);
  const dialog = page.getByRole('dialog');
  const contact = dialog.getByRole('combobox', { name: 'Contact' });
  await expect.poll(() => contact.inputValue(), PATIENT).toBe('Mary Jackson');
  await contact.fill('Mary J');
  await contact.press('Tab');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Call back', PATIENT);
  expect(await contact.inputValue()).toBe('Mary Jackson');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Task created').waitFor(PATIENT);
  const tasks = await call(page, 'GET', `/tasks?contactId=${id}`);
  expect(tasks).toMatchObject([{ title: 'Call back' }]);
  await call(page, 'DELETE', `/tasks/${tasks[0].id}`);
});

test('a deal is lost with a reason and opened again in the list', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await createDeal(page, 'Implant', { value: 1200 });
  const crown = await createDeal(page, 'Crown', { value: 800 });
  await page.goto(at(url, 'opportunities'));
  await page.getByRole('tab', { name: 'List' }).click(PATIENT);
  const row = page.getByRole('row', { name: /Implant/ });
  await row.getByText('Ada Lovelace').waitFor();
  await row.getByRole('button', { name: 'Actions for Implant' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Mark as lost' }).press('Enter');
  await page.getByRole('dialog', { name: 'Mark as lost: Implant' }).waitFor();
  await page.getByRole('textbox', { name: 'Reason' }).fill('too expensive');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as lost' }).press('Enter');
  await row.getByText('too expensive').waitFor();
  await row.getByRole('button', { name: 'Actions for Implant' }).click();
  await page.getByRole('menuitem', { name: 'Mark as won' }).click();
  await row.getByText('Won', { exact: true }).waitFor();
  await page.getByRole('button', { name: /Status/ }).click();
  await page.getByRole('option', { name: 'Open', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  const other = page.getByRole('row', { name: /Crown/ });
  await other.waitFor();
  const names = await eventNames();
  const ended = names.filter((name) => /^opportunity\.(?:won|lost)$/.test(name));
  expect(ended).toEqual(['opportunity.lost', 'opportunity.won']);
  // In its dialog, too: the form itself is not saved.
  await page.goto(at(url, `opportunities?deal=${crown.id}`));
  const form = page.getByRole('dialog', { name: 'Edit opportunity' });
  await form.getByRole('button', { name: 'Mark as lost' }).click(PATIENT);
  const lost = page.getByRole('dialog', { name: 'Mark as lost: Crown' });
  await lost.getByRole('textbox', { name: 'Reason' }).fill('too slow');
  await lost.getByRole('button', { name: 'Mark as lost' }).click();
  await form.waitFor({ state: 'detached' });
  expect(await call(page, 'GET', `/opportunities/${crown.id}`)).toMatchObject({
    status: 'lost',
    lostReason: 'too slow',
  });
  expect(faults).toEqual([]);
});

test('the due date of a task is set with the keyboard alone', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await call(page, 'POST', '/tasks', { title: 'Call Ada', dueDate: '2026-01-05T09:00:00Z' });
  await call(page, 'POST', '/tasks', { title: 'Write to Grace' });
  await page.goto(at(url, 'tasks?view=overdue'));
  await page.getByRole('button', { name: /Due date of Call Ada/ }).waitFor(PATIENT);
  expect(await page.getByText('Write to Grace').count()).toBe(0);
  await page.getByRole('tab', { name: 'All open' }).click();
  await page.getByText('Write to Grace').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('d');
  await page.getByRole('menuitem', { name: 'In a week' }).press('Enter');
  const due = page.getByRole('button', { name: /Due date of Write to Grace/ });
  await due.getByText('No date').waitFor({ state: 'detached' });
  const dates = async () =>
    (
      await client.query('select due_date from tasks where deleted_at is null order by title')
    ).rows.map((row) => (row.due_date === null ? null : Number(row.due_date)));
  const week = (await dates())[1] ?? 0;
  expect(Math.abs(week - Date.now() - 7 * 86_400_000)).toBeLessThan(86_400_000);
  await due.press('Enter');
  await page.getByRole('menuitem', { name: 'Date and time…' }).press('Enter');
  const field = page.getByRole('dialog').getByRole('spinbutton', { name: /year/ });
  await field.press('ArrowUp');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
  await expect.poll(async () => (await dates())[1], PATIENT).toBeGreaterThan(week);
  await due.press('Enter');
  await page.getByRole('menuitem', { name: 'No date' }).press('Enter');
  await expect.poll(async () => (await dates())[1], PATIENT).toBeNull();
  await page.getByRole('checkbox', { name: 'Complete Call Ada' }).focus();
  await page.keyboard.press('e');
  await page.getByText('Task completed').waitFor();
  expect(faults).toEqual([]);
});

test('the palette creates and finds an opportunity, and a task leads to its contact', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await createDeal(page, 'Whitening', { value: 350 });
  const [{ contactId }] = await call(page, 'GET', '/opportunities?search=whitening');
  await call(page, 'POST', '/tasks', { title: 'Send the estimate', contactId });
  await page.goto(at(url, 'tasks?view=open'));
  await page.getByRole('button', { name: 'Send the estimate', exact: true }).waitFor(PATIENT);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.type('New opp');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New opportunity' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await page.goBack();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.type('white');
  const found = page.getByRole('menuitem', { name: /Whitening/ });
  await found.getByText('Ada Lovelace').waitFor();
  await found.click();
  await page.getByRole('row', { name: /Whitening/ }).waitFor();
  await page.goBack();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Send the estimate' })
    .getByRole('link', { name: 'Ada Lovelace' })
    .click();
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('textbox', { name: 'First name' }).fill('Augusta');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Augusta Lovelace' }).waitFor();
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('link', { name: 'Augusta Lovelace' }).waitFor();
  expect(faults).toEqual([]);
});

test('deals and tasks have no findings and fit', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await createDeal(page, 'Bridge', { value: 2000, expectedCloseDate: in30Days() });
  await createDeal(page, 'Braces', { value: 3000, expectedCloseDate: '2026-01-05T09:00:00Z' });
  await call(page, 'POST', '/tasks', {
    title: 'Call back',
    dueDate: '2026-01-05T09:00:00Z',
    contactId: (await call(page, 'GET', '/opportunities'))[0].contactId,
  });
  const found: string[] = [];
  const look = async (what: string) => found.push(...(await findingsOf(page, what)));
  await page.goto(at(url, 'opportunities?view=list'));
  await page
    .getByRole('row', { name: /Braces/ })
    .first()
    .waitFor(PATIENT);
  await look('list');
  await page.getByRole('tab', { name: 'Forecast' }).click();
  await page.getByRole('img', { name: /Open opportunities by expected close/ }).waitFor();
  await page.getByRole('row', { name: /Overdue/ }).waitFor();
  await look('forecast');
  await page.getByRole('tab', { name: 'Board' }).click();
  await page.getByRole('region', { name: 'New' }).getByText('Bridge').first().waitFor();
  await look('board');
  await page.goto(at(url, 'tasks?view=open'));
  await page.getByText('Call back').first().waitFor();
  await look('tasks');
  await page.setViewportSize(PHONE.viewport);
  await page
    .getByRole('button', { name: /Due date of Call back/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Tomorrow' }).waitFor();
  await page.keyboard.press('Escape');
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
});
