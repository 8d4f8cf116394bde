import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };
const SCREENSHOTS = process.env['TEST_SCREENSHOTS'];

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

/** A picture of one pixel that browsers can show. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const shoot = async (page: Page, name: string) =>
  SCREENSHOTS && (await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` }));

async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Your picture' }).click();
  return page.getByRole('dialog', { name: 'Your picture' });
}

async function choose(page: Page, dialog: Locator, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a picture' }).click();
  await (await chooser).setFiles({ name, mimeType: 'image/png', buffer });
}

/** The width of a picture that a browser shows; 0 while it loads, and if it cannot. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);

describe('the picture of a user', () => {
  test('is chosen in the console, and shown beside replies there and in the chat', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const dialog = await openDialog(page);
    await choose(page, dialog, 'me.png', Buffer.from('not a picture'));
    await page.getByText('Choose a PNG, JPEG or WebP image.').waitFor(PATIENCE);
    await choose(page, dialog, 'me.png', PNG);
    await dialog.locator('img').waitFor(PATIENCE);
    expect(await axeFindings(page)).toEqual([]);
    await shoot(page, 'picture-dialog');
    await dialog.getByRole('button', { name: 'Done' }).click();

    const widget = await openPage(browser, { locale: 'en-GB', reducedMotion: 'reduce' });
    await widget.goto(`${url}/chat/demo?subAccountId=${place.subAccountId}`);
    await widget.getByLabel('Your name').fill('Grace Hopper');
    await widget.getByRole('button', { name: 'Start chat' }).click();
    await widget.getByRole('textbox', { name: 'Your message' }).fill('Hello');
    await widget.getByRole('button', { name: 'Send', exact: true }).click();

    await page.getByRole('list', { name: 'Conversations' }).getByText('Grace Hopper').click();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Good morning');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await widget.getByText('Good morning').waitFor(PATIENCE);
    const shown = widget.locator('.message.agent .avatar img');
    await expect.poll(() => widthOf(shown), PATIENCE).toBe(192);
    await expect.poll(() => widthOf(page.getByRole('log').locator('img')), PATIENCE).toBe(192);
    await shoot(widget, 'picture-widget');
    await shoot(page, 'picture-thread');

    await (await openDialog(page)).getByRole('button', { name: 'Delete the picture' }).click();
    await expect.poll(() => page.getByRole('log').locator('img').count(), PATIENCE).toBe(0);
    await widget.reload();
    await widget.getByText('Good morning').waitFor(PATIENCE);
    expect(await shown.count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
