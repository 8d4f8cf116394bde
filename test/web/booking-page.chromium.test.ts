import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { book, bookingOf, calendarOf } from '../support/calendars.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PATIENCE = { timeout: 60_000 };
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true };

const addressOf = ({ url, subAccountId }: TestService, query = ''): string =>
  `${url}/book/${subAccountId}/check-up${query}`;

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Last name').fill('Hopper');
  await page.getByLabel('Email').fill('grace@example.com');
}

const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm booking' });

const appointments = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/calendars/appointments')).body.data;

/** Errors in the page's console; a refused form adds one line. */
function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 400/.test(message.text())) {
      found.push(message.text());
    }
  });
  page.on('pageerror', (error) => found.push(String(error)));
  return found;
}

describe.for([
  ['with its script', {}],
  ['without any script', { javaScriptEnabled: false }],
  ['with its script on a phone', PHONE],
  ['without any script on a phone', { ...PHONE, javaScriptEnabled: false }],
] as const)('the booking page %s', ([, options]) => {
  test('books, moves and cancels', { timeout: 180_000 }, async ({ service }) => {
    await calendarOf(service);
    await service.events();
    const page = await openPage(browser, { timezoneId: 'UTC', ...options });
    const found = complaints(page);
    await page.goto(addressOf(service));
    // Late in the day, few of its times are left.
    await page.locator('a.day').nth(1).click();
    await page.locator('a.day[aria-current]').nth(0).waitFor();
    await page.locator('a.slot').nth(2).click();
    await fillIn(page);
    await confirm(page).click();
    await page.getByRole('heading', { name: 'You are booked' }).waitFor();
    expect(await service.eventNames()).toEqual(['contact.created', 'appointment.booked']);

    await page.getByRole('link', { name: 'Reschedule' }).click();
    await page.locator('a.day').nth(1).click();
    await page.locator('a.day[aria-current]').nth(0).waitFor();
    await page.locator('a.slot').nth(4).click();
    await page.getByRole('button', { name: 'Reschedule to this time' }).click();
    await page.getByRole('heading', { name: 'Your appointment was rescheduled' }).waitFor();
    expect(await service.eventNames()).toEqual(['appointment.rescheduled']);

    await page.locator('summary').click();
    await page.getByLabel('Reason').fill('ill');
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByRole('heading', { name: 'This appointment is cancelled' }).waitFor();
    expect(await service.eventNames()).toEqual(['appointment.cancelled']);
    expect(found).toEqual([]);
  });
});

describe('the script', () => {
  test("shows times in the visitor's time zone, which can be changed", async ({ service }) => {
    await calendarOf(service, { timezone: 'Europe/Berlin' });
    const page = await openPage(browser, { timezoneId: 'Asia/Tokyo' });
    await page.goto(addressOf(service));
    await expect.poll(() => page.url(), PATIENCE).toContain('tz=Asia%2FTokyo');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await expect.poll(() => page.url(), PATIENCE).toContain('tz=America%2FNew_York');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('America/New_York');
  });

  test('changes days without a page load, and the back button returns to them', async ({
    service,
  }) => {
    await calendarOf(service);
    const page = await openPage(browser, { timezoneId: 'UTC' });
    await page.goto(addressOf(service, '?tz=UTC'));
    await page.evaluate('window.isSame = true');
    const first = await page.locator('#day').textContent();
    await page.getByRole('link', { name: 'Next month' }).click();
    await expect.poll(() => page.locator('#day').textContent(), PATIENCE).not.toBe(first);
    const focused = () => page.evaluate('document.activeElement.id');
    await expect.poll(focused, PATIENCE).toBe('month');
    await page.locator('a.day').nth(3).click();
    await expect.poll(focused, PATIENCE).toBe('day');
    await page.locator('a.slot').first().click();
    await expect.poll(focused, PATIENCE).toBe('details');
    for (let step = 0; step < 3; step += 1) {
      await page.goBack();
    }
    await expect.poll(() => page.locator('#day').textContent(), PATIENCE).toBe(first);
    expect(await page.evaluate('window.isSame')).toBe(true);
  });

  test('sends a form once, however often its button is pressed', async ({ service }) => {
    await calendarOf(service, {
      type: 'class',
      types: [{ key: 'checkup-30', name: 'Check-up', slug: 'check-up', duration: 30, seats: 9 }],
    });
    const page = await openPage(browser, { timezoneId: 'UTC' });
    await page.goto(addressOf(service));
    await page.locator('a.slot').first().click();
    await fillIn(page);
    await confirm(page).dblclick();
    await page.getByRole('heading', { name: 'You are booked' }).waitFor();
    expect(await appointments(service)).toHaveLength(1);
  });

  test('focuses the error summary', async ({ service }) => {
    await calendarOf(service);
    const page = await openPage(browser, { timezoneId: 'UTC' });
    await page.goto(addressOf(service));
    await page.locator('a.slot').first().click();
    await fillIn(page);
    await page.getByLabel('Phone').fill('030 1');
    await confirm(page).click();
    await page.getByRole('alert').waitFor();
    const focused = () => page.evaluate('document.activeElement.id');
    await expect.poll(focused, PATIENCE).toBe('problem');
    expect(await page.getByLabel('Email').inputValue()).toBe('grace@example.com');
    const phone = page.getByLabel('Phone');
    const described = await phone.getAttribute('aria-describedby');
    expect(described?.split(' ')).toEqual(['phone-wrong']);
  });

  test('shows that a slot is taken, and books the next choice', async ({ service }) => {
    const { typeId } = await calendarOf(service);
    const page = await openPage(browser, { timezoneId: 'UTC' });
    await page.goto(addressOf(service));
    await page.locator('a.slot').first().click();
    await fillIn(page);
    const start = Number(await page.locator('input[name=start]').getAttribute('value'));
    await book(service, bookingOf(typeId, start));
    await confirm(page).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('radio').first().check();
    await confirm(page).click();
    await page.getByRole('heading', { name: 'You are booked' }).waitFor();
  });
});
