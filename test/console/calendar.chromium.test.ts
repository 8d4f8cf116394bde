import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
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

interface Slot {
  readonly startTime: string;
  readonly endTime: string;
}

/** Books the first free slot of a week from now with a key; returns its times. */
async function book(url: string, firstName: string): Promise<Slot> {
  const scopes = 'availability:read,appointments:read,appointments:write';
  const { key } = await place.admin(
    `key create --name Booking --sub-account ${place.subAccountId} --scopes ${scopes}`,
  );
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const get = async (path: string) =>
    ((await (await fetch(`${url}/api/v1/calendars${path}`, { headers })).json()) as any).data;
  const [{ id: appointmentTypeId }] = await get('/types');
  const day = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const [{ startTime, endTime }] = await get(
    `/availability?appointmentTypeId=${appointmentTypeId}&date=${day(7)}&endDate=${day(14)}`,
  );
  const response = await fetch(`${url}/api/v1/calendars/appointments`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      appointmentTypeId,
      startTime,
      endTime,
      firstName,
      lastName: 'Hopper',
      email: 'grace@example.com',
    }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: Slot }).data;
}

test('an appointment is shown in the zone of the sub-account, by day and week, and cancelled', async () => {
  const { page, url, faults } = await openConsole(browser, place, { timezoneId: 'Asia/Tokyo' });
  const { startTime } = await book(url, 'Grace');
  await page.goto(
    `${url}/console/${place.subAccountId}/calendar?view=day&date=${startTime.slice(0, 'yyyy-mm-dd'.length)}`,
  );
  await page.getByText('Europe/Berlin').waitFor();
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    timeStyle: 'short',
  }).format(new Date(startTime));
  const appointment = page.getByRole('button', { name: `${time} Grace Hopper` });
  await appointment.waitFor();
  // The team is read beside the appointments.
  await page.getByRole('heading', { name: 'Anna Weber' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Week' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await appointment.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Previous' }).click();
  await appointment.click();
  const dialog = page.getByRole('dialog', { name: 'Grace Hopper' });
  await dialog
    .getByText('You can mark the appointment as completed or as a no-show once')
    .waitFor();
  for (const name of ['Mark as completed', 'Mark as no-show']) {
    expect(await dialog.getByRole('button', { name }).isDisabled()).toBe(true);
  }
  await dialog.getByText(/^Confirmation: /).waitFor();
  await dialog.getByText(/^Reminders: /).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Mark as confirmed' }).click();
  await page.getByText('Appointment confirmed').waitFor();
  await page.getByRole('button', { name: `${time} Grace Hopper Confirmed` }).click();
  await dialog.getByRole('button', { name: 'Cancel appointment' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel appointment' });
  await question.getByText('The customer gets no message about it, so tell them.').waitFor();
  await question.getByRole('button', { name: 'Keep appointment' }).waitFor();
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await page.getByText('Appointment cancelled').waitFor();
  await appointment.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});

test('on a phone, the agenda tells that nothing is today, and the week opens at today', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, url, faults } = await openConsole(browser, place, phone);
  await book(url, 'Grace');
  await page.goto(`${url}/console/${place.subAccountId}/calendar`);
  await page.getByText('No appointments today').waitFor();
  await page.getByRole('button', { name: 'Grace Hopper' }).waitFor();
  const rows = new Set<number>();
  for (const name of ['Today', 'Next', 'Day', 'Agenda', /^Everyone/]) {
    const button = page.getByRole('main').getByRole('button', { name }).first();
    rows.add(Math.round((await button.boundingBox())?.y ?? 0));
  }
  expect(rows.size).toBe(2);
  await page.getByRole('button', { name: 'Week' }).click();
  const today = page.locator('main [aria-current=date]');
  await today.waitFor();
  const box = await today.boundingBox();
  expect(box?.x).toBeGreaterThan(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  expect(await axeFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('today is marked in the week and in the month, which its name heads', async () => {
  const { page, url, faults } = await openConsole(browser, place, { timezoneId: 'Asia/Tokyo' });
  const berlin = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', ...options }).format(new Date());
  const today = berlin({ weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');
  const marked = page.locator('main [aria-current=date]');
  await page.goto(`${url}/console/${place.subAccountId}/calendar?view=week`);
  await marked.waitFor();
  expect(await marked.allInnerTexts()).toEqual([today]);
  await page.getByRole('button', { name: 'Month' }).click();
  await page.getByText(berlin({ month: 'long', year: 'numeric' }), { exact: true }).waitFor();
  expect(await marked.getByRole('button').first().innerText()).toBe(today);
  expect(await axeFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
});
