import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, chatWith, install, openConsole, type Installation } from '../support/console.ts';
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

/** Delays the responses of an address until the returned function is called. */
async function delayResponse(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('the team says who can be assigned only when the manifest is known', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const release = await delayResponse(page, '**/api/v1/manifest');
  await page.goto(`${url}/console/${place.subAccountId}/settings?tab=team`);
  await page.getByText('under “team” in the manifest (Settings → Manifest)').waitFor();
  const row = page.getByRole('row', { name: /owner@harbour/ });
  await row.waitFor();
  const cell = row.getByRole('cell').nth(3);
  expect(await cell.innerText()).toBe('');
  expect(await axeFindings(page)).toEqual([]);
  release();
  await row.getByRole('cell', { name: 'Yes' }).waitFor();
  expect(faults).toEqual([]);
});

test('a calendar that is loaded is neither closed nor empty', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const release = await delayResponse(page, '**/api/v1/calendars/schedule?*');
  await page.goto(`${url}/console/${place.subAccountId}/calendar?view=week&date=2031-03-03`);
  const grid = page.getByRole('region', { name: 'Calendar' });
  await page.getByRole('heading', { name: 'Mon 3 Mar' }).waitFor();
  expect(await grid.getAttribute('aria-busy')).toBe('true');
  expect(await grid.getByText('Closed').count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  release();
  await grid.getByText('Closed').first().waitFor({ state: 'attached' });
  await grid.and(page.locator('[aria-busy=false]')).waitFor();
  // The hours of the shown week say nothing about the next one.
  const releaseNext = await delayResponse(page, '**/api/v1/calendars/schedule?*');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'Mon 10 Mar' }).waitFor();
  expect(await grid.getAttribute('aria-busy')).toBe('true');
  expect(await grid.getByText('Closed').count()).toBe(0);
  releaseNext();
  await grid.getByText('Closed').first().waitFor({ state: 'attached' });
  expect(faults).toEqual([]);
});

test('a schedule that comes in several responses is shown whole', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const dates: string[] = [];
  await page.route('**/api/v1/calendars/schedule?*', async (route) => {
    const oneDay = new URL(route.request().url());
    const date = oneDay.searchParams.get('date') ?? '';
    dates.push(date);
    oneDay.searchParams.set('endDate', date);
    await route.continue({ url: oneDay.href });
  });
  await page.goto(`${url}/console/${place.subAccountId}/calendar?view=week&date=2031-03-05`);
  const grid = page.getByRole('region', { name: 'Calendar' });
  await grid.and(page.locator('[aria-busy=false]')).waitFor();
  expect(dates).toHaveLength(7);
  expect(new Set(dates).size).toBe(7);
  expect(await grid.getByText('Open 09:00–17:00').count()).toBe(5);
  expect(faults).toEqual([]);
});

test('the agenda and the members of a day wait for their responses', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const release = await delayResponse(page, /\/api\/v1\/(?:calendars\/appointments|team)(?:\?|$)/);
  const calendar = `${url}/console/${place.subAccountId}/calendar`;
  await page.goto(`${calendar}?view=day&date=2031-03-03`);
  await page.getByRole('heading', { name: 'Mon 3 Mar' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Unassigned' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Agenda' }).click();
  await page.locator('main [aria-hidden=true]').first().waitFor();
  expect(await page.getByText('No appointments').count()).toBe(0);
  release();
  await page.getByText('No appointments').waitFor();
  await page.getByRole('button', { name: 'Day', exact: true }).click();
  await page.getByRole('heading', { name: 'Anna Weber' }).waitFor();
  expect(faults).toEqual([]);
});

test('lists say that there is nothing, and fields that nothing is chosen, only when it is known', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const team = await callFrom(page, place, ['GET', '/team']);
  const { id } = await callFrom(page, place, ['POST', '/contacts'], {
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    assignedTo: team[0].id,
  });
  const releaseTeam = await delayResponse(page, '**/api/v1/team');
  await page.goto(`${url}/console/${place.subAccountId}/contacts/${id}?tab=details`);
  const owner = page.getByRole('button', { name: /Assigned to/ });
  await owner.waitFor();
  expect(await owner.innerText()).toBe('…');
  releaseTeam();
  await owner.filter({ hasText: 'Anna Weber' }).waitFor();

  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('tab', { name: 'Overdue' }).click();
  await page.getByText('No tasks here').waitFor();
  const releaseTasks = await delayResponse(page, '**/api/v1/tasks?*');
  await page.getByRole('tab', { name: 'Completed' }).click();
  expect(await page.getByText('No tasks here').count()).toBe(0);
  releaseTasks();
  await page.getByText('No tasks here').waitFor();

  await chatWith({ url, subAccountId: place.subAccountId }, 'Ada', 'Is Tuesday free?');
  const releaseMessages = await delayResponse(page, /\/conversations\/[^/]+\/messages/);
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('link', { name: /Ada/ }).click();
  const skeleton = page.getByRole('log').locator('[aria-hidden=true]').first();
  await skeleton.waitFor();
  const log = await page.getByRole('log').boundingBox();
  expect((await skeleton.boundingBox())?.y).toBeGreaterThanOrEqual(log?.y ?? Infinity);
  releaseMessages();
  await page.getByRole('log').getByText('Is Tuesday free?').waitFor();
  expect(faults).toEqual([]);
});
