import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { at, calendarOf } from '../support/calendars.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { axeFindings } from '../support/looks.ts';
import { apply } from '../support/manifest.ts';
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

describe('the search for a time zone', () => {
  async function openSearch(service: TestService, options = {}): Promise<Page> {
    await calendarOf(service, { timezone: 'Europe/Berlin' });
    const page = await openPage(browser, { timezoneId: 'UTC', ...options });
    await page.goto(addressOf(service, '?tz=UTC'));
    return page;
  }

  const search = (page: Page) => page.getByRole('combobox', { name: /^Search/ });
  const options = (page: Page) => page.getByRole('listbox').getByRole('option');
  const zoneIn = (page: Page) => new URL(page.url()).searchParams.get('tz');

  test('finds a city, a region and an offset, and goes to the zone', async ({ service }) => {
    const page = await openSearch(service, PHONE);
    expect(await options(page).count()).toBe(0);
    await search(page).fill('new york');
    await expect.poll(() => options(page).count(), PATIENCE).toBe(1);
    expect(await options(page).textContent()).toMatch(/New York/);
    expect(await axeFindings(page)).toEqual([]);
    await search(page).fill('utc+9');
    const nine = await options(page).allTextContents();
    expect(nine.length).toBeGreaterThan(1);
    expect(nine.join()).toContain('Tokyo');
    await options(page).filter({ hasText: 'Tokyo' }).click();
    await expect.poll(() => zoneIn(page), PATIENCE).toBe('Asia/Tokyo');
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Asia/Tokyo');
  });

  test('works by keyboard, and says which zone is chosen', async ({ service }) => {
    const page = await openSearch(service);
    await search(page).focus();
    await page.keyboard.type('america');
    await expect.poll(() => options(page).count(), PATIENCE).toBeGreaterThan(2);
    const active = () => search(page).getAttribute('aria-activedescendant');
    expect(await search(page).getAttribute('aria-expanded')).toBe('true');
    expect(await active()).toBe('zone-0');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe('zone-1');
    const zone = await page.locator('#zone-1').getAttribute('data-zone');
    expect(await page.getByRole('listbox').locator('[aria-selected=true]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => zoneIn(page), PATIENCE).toBe(zone);
  });

  test('closes with Escape and when it is left, and shows nothing for other words', async ({
    service,
  }) => {
    const page = await openSearch(service);
    await search(page).fill('berlin');
    await expect.poll(() => options(page).count(), PATIENCE).toBe(1);
    await page.keyboard.press('Escape');
    expect(await search(page).inputValue()).toBe('');
    expect(await search(page).getAttribute('aria-expanded')).toBe('false');
    await search(page).fill('berlin');
    await page.keyboard.press('Tab');
    expect(await options(page).count()).toBe(0);
    await search(page).fill('atlantis');
    expect(await options(page).count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(zoneIn(page)).toBe('UTC');
  });
});

describe('the choice of a country', () => {
  async function openForm(service: TestService): Promise<Page> {
    await apply(service, { subAccount: { timezone: 'Europe/Berlin' } });
    await calendarOf(service);
    const page = await openPage(browser, { timezoneId: 'UTC' });
    await page.goto(addressOf(service, `?tz=UTC&start=${at(service, 2, '10:00')}`));
    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('Last name').fill('Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    return page;
  }

  const phoneOf = async ({ call }: TestService): Promise<unknown> =>
    (await call('GET /api/v1/contacts')).body.data[0]?.phone;

  const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm booking' }).click();
  const booked = (page: Page) => page.getByRole('heading', { name: 'You are booked' }).waitFor();

  test("begins with the business's country, whose national numbers it reads", async ({
    service,
  }) => {
    const page = await openForm(service);
    const country = page.getByLabel('Country');
    expect(await country.inputValue()).toBe('DE');
    expect(await country.locator('option:checked').textContent()).toContain('+49');
    await page.getByLabel('Phone').fill('030 901820');
    await confirm(page);
    await booked(page);
    expect(await phoneOf(service)).toBe('+4930901820');
  });

  test('reads the numbers of another country, and those with a code as they are', async ({
    service,
  }) => {
    const page = await openForm(service);
    await page.getByLabel('Country').selectOption('FR');
    await page.getByLabel('Phone').fill('12');
    await confirm(page);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('#phone-wrong').textContent()).toContain('Choose another country');
    expect(await page.getByLabel('Country').inputValue()).toBe('FR');
    await page.getByLabel('Phone').fill('01 42 68 53 00');
    await confirm(page);
    await booked(page);
    expect(await phoneOf(service)).toBe('+33142685300');
  });
});
