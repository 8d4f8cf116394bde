import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { axeFindings, install, openConsole, type Installation } from '../support/console.ts';

const PATIENCE = { timeout: 60_000 };
const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };

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

const tabOf = (url: string, tab: string) =>
  `${url}/console/${place.subAccountId}/settings?tab=${tab}`;

const exported = () => place.admin(`export --sub-account ${place.subAccountId}`);

describe('the settings as forms', () => {
  test('change the chat, a calendar and the price list, and nothing else', async () => {
    const before = await exported();
    const { page, url, faults } = await openConsole(browser, place);
    await page.goto(tabOf(url, 'chat'));
    await page.getByLabel('Title').fill('Ask us');
    await page.getByText('Require an email address').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor(PATIENCE);

    await page.goto(tabOf(url, 'calendars'));
    await page.getByRole('button', { name: 'Edit Check-ups' }).click();
    const calendar = page.getByRole('dialog', { name: 'Check-ups' });
    await calendar.getByLabel('Hours on Monday').fill('9-12');
    await calendar.getByRole('button', { name: 'Save' }).click();
    await calendar.getByText(/must be opening hours/).waitFor(PATIENCE);
    await calendar.getByLabel('Hours on Monday').fill('09:00-12:00, 13:00-18:00');
    await calendar.getByLabel('Buffer after, in minutes').fill('10');
    await page.keyboard.press('Enter');
    await calendar.waitFor({ state: 'detached', ...PATIENCE });

    await page.goto(tabOf(url, 'prices'));
    await page.getByRole('button', { name: 'New service' }).click();
    const service = page.getByRole('dialog', { name: 'New service' });
    await service.getByLabel('Name').fill('Deep cleaning');
    await service.getByLabel('Price', { exact: true }).fill('89');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Deep cleaning.*89/ }).waitFor(PATIENCE);
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);

    const after = await exported();
    expect(after.chat).toMatchObject({ ...before.chat, title: 'Ask us', requireEmail: true });
    const [checkups] = before.calendars;
    expect(after.calendars).toEqual([
      {
        ...checkups,
        hours: { ...checkups.hours, mon: ['09:00-12:00', '13:00-18:00'] },
        buffers: { before: 0, after: 10 },
      },
    ]);
    expect(after.serviceTypes).toMatchObject([
      { key: 'deep-cleaning', name: 'Deep cleaning', price: 89, currency: 'EUR', onSale: true },
    ]);
    expect([after.team, after.pipelines]).toEqual([before.team, before.pipelines]);
  });

  test.for([
    ['light', {}],
    ['dark', {}],
    ['light', PHONE],
  ] as const)('in %s with %o have no findings and fit', async ([colorScheme, size]) => {
    const { page, url, faults } = await openConsole(browser, place, { ...size, colorScheme });
    for (const tab of ['chat', 'calendars', 'forms', 'prices']) {
      await page.goto(tabOf(url, tab));
      const shown = tab === 'chat' ? page.getByLabel('Title') : page.getByRole('table');
      await shown.waitFor(PATIENCE);
      expect(await axeFindings(page)).toEqual([]);
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(over)).toBe(0);
      const folder = process.env['TEST_SCREENSHOTS'];
      if (folder !== undefined) {
        const name = `${tab}-${colorScheme}-${Object.keys(size).length}`;
        await page.screenshot({ path: `${folder}/settings-${name}.png` });
      }
    }
    expect(faults).toEqual([]);
  });
});
