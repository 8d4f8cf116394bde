import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { visit } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test.each([
  ["the page's, whatever the visitor's", 'de', 'es-ES', 'Chat öffnen', 'Mo'],
  ["the visitor's, where the page's is not known", 'pl', 'es-MX', 'Abrir el chat', 'lun'],
  ["the visitor's, where the page names none", '', 'fr-CA', 'Ouvrir le chat', 'lun.'],
  ["the page's with a region", 'fr-CH', 'de-AT', 'Ouvrir le chat', 'lun.'],
  ['English, where neither is known', 'pl', 'cs-CZ', 'Open chat', 'Mon'],
  ['English, where the page says nonsense', 'de"-1_<>', 'en-GB', 'Open chat', 'Mon'],
])('the language is %s', async (_which, language, locale, open, monday) => {
  const { page, panel, complaints } = await visit(browser, {
    language: language.replaceAll('"', '&quot;'),
    context: { locale },
    configuration: { online: false },
  });
  await page.getByRole('button', { name: open }).click();
  expect(await panel.locator('dt').first().textContent()).toBe(monday);
  expect(complaints).toEqual([]);
});
