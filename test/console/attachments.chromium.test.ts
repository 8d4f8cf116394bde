import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HTML, PDF } from '../files/files.support.ts';
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
const png = { name: 'tooth.png', mimeType: 'image/png', buffer: PNG };
const pdf = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: PDF };

const shoot = async (page: Page, name: string) =>
  SCREENSHOTS && (await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` }));

/** Opens a page with the widget and starts a chat. */
async function visit(url: string, name: string): Promise<Page> {
  const page = await openPage(browser, { locale: 'en-GB', reducedMotion: 'reduce' });
  await page.goto(`${url}/chat/demo?subAccountId=${place.subAccountId}`);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Start chat' }).click();
  return page;
}

/** Chooses a file in the dialog of the browser. */
async function choose(
  page: Page,
  files: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles(files);
}

/** Returns the bytes behind a link, as the browser of the page gets them. */
async function contentOf(page: Page, url: string | null): Promise<Buffer> {
  const response = await page.request.get(new URL(url ?? '', page.url()).href);
  expect(response.status()).toBe(200);
  expect(response.headers()['content-security-policy']).toContain('sandbox');
  return response.body();
}

describe('files in a chat', () => {
  test('go from the visitor to the inbox, and back from its composer', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const widget = await visit(url, 'Grace Hopper');
    await choose(widget, png);
    await widget.getByRole('textbox', { name: 'Your message' }).fill('Please look at this');
    await widget.getByRole('button', { name: 'Send', exact: true }).click();
    await widget.getByRole('img', { name: 'tooth.png' }).waitFor(PATIENCE);

    await page.getByRole('list', { name: 'Conversations' }).getByText('Grace Hopper').click();
    const thread = page.getByRole('log');
    const image = thread.getByRole('img', { name: 'tooth.png' });
    await image.waitFor(PATIENCE);
    const isShown = () =>
      image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(isShown, PATIENCE).toBe(1);
    const link = thread.getByRole('link', { name: 'tooth.png' });
    expect((await contentOf(page, await link.getAttribute('href'))).equals(PNG)).toBe(true);

    await page.getByRole('button', { name: 'Drop or paste files' }).waitFor({ state: 'attached' });
    await choose(page, pdf);
    await page.getByRole('textbox', { name: 'Reply' }).fill('This is the plan');
    await shoot(page, 'inbox-attachment');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await thread.getByRole('link', { name: /plan\.pdf/ }).waitFor(PATIENCE);
    const answer = widget.getByRole('link', { name: /plan\.pdf/ });
    await answer.waitFor(PATIENCE);
    await shoot(widget, 'widget-attachment');
    expect((await contentOf(widget, await answer.getAttribute('href'))).equals(PDF)).toBe(true);
    // The owner is the team member Anna Weber: visitors see her name and initial.
    await widget.getByText('Anna Weber', { exact: true }).first().waitFor(PATIENCE);
    expect(await widget.locator('.message.agent .avatar').last().textContent()).toBe('A');
    await thread.getByText('You', { exact: true }).waitFor(PATIENCE);
    expect(faults).toEqual([]);
  });

  test('are refused with a reason on both sides, and the text stays', async () => {
    const { page, url } = await openConsole(browser, place);
    const widget = await visit(url, 'Mallory');
    await choose(widget, { name: 'a.png', mimeType: 'image/png', buffer: HTML });
    await widget.getByText('Files of this type cannot be sent.').waitFor(PATIENCE);
    await widget.getByRole('button', { name: 'Remove a.png' }).click();
    const said = widget.getByRole('textbox', { name: 'Your message' });
    await said.fill('Hello');
    await said.press('Enter');
    await page.getByRole('list', { name: 'Conversations' }).getByText('Mallory').click();
    await page.getByRole('log').getByText('Hello', { exact: true }).waitFor(PATIENCE);
    await page.getByRole('textbox', { name: 'Reply' }).fill('Here you are');
    await choose(page, { name: 'b.pdf', mimeType: 'application/pdf', buffer: HTML });
    await page.getByRole('alert').filter({ hasText: /type/ }).first().waitFor(PATIENCE);
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Here you are');
  });

  test('a note shows who wrote it, to the team only', async () => {
    const { page, url } = await openConsole(browser, place);
    const widget = await visit(url, 'Ada Lovelace');
    const said = widget.getByRole('textbox', { name: 'Your message' });
    await said.fill('Good morning');
    await said.press('Enter');
    await page.getByRole('list', { name: 'Conversations' }).getByText('Ada Lovelace').click();
    const thread = page.getByRole('log');
    await thread.getByText('Good morning').waitFor(PATIENCE);
    await page.getByRole('switch', { name: 'Internal note' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Calls every week');
    await page.getByRole('button', { name: 'Send' }).click();
    await thread.getByText('Calls every week').waitFor(PATIENCE);
    const { link } = await place.admin(
      `user invite --email cleo@harbour.example --name Cleo --role agent --sub-account ${place.subAccountId}`,
    );
    const other = await openPage(browser, { locale: 'en-GB' });
    await other.goto(url + new URL(link).pathname + new URL(link).hash);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('list', { name: 'Conversations' }).getByText('Ada Lovelace').click();
    await other.getByRole('log').getByText('Anna Weber', { exact: true }).waitFor(PATIENCE);
    await shoot(other, 'inbox-authors');
    const rowOf = (inbox: Page) =>
      inbox
        .getByRole('list', { name: 'Conversations' })
        .getByRole('link', { name: /This is the plan/ });
    expect(await rowOf(page).textContent()).toContain('You: This is the plan');
    expect(await rowOf(other).textContent()).toContain('Team: This is the plan');
    expect(await widget.getByText('Calls every week').count()).toBe(0);
  });
});
