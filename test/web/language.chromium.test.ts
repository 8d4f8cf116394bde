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
  ["the page's, regardless of the visitor's", 'de', 'es-ES', 'Chat öffnen', 'Mo'],
  ["the visitor's, if the page's is unknown", 'pl', 'es-MX', 'Abrir el chat', 'lun'],
  ["the visitor's, if the page has none", '', 'fr-CA', 'Ouvrir le chat', 'lun.'],
  ["the page's with a region", 'fr-CH', 'de-AT', 'Ouvrir le chat', 'lun.'],
  ['English, if neither is known', 'pl', 'cs-CZ', 'Open chat', 'Mon'],
  ['English, if the page has an invalid one', 'de"-1_<>', 'en-GB', 'Open chat', 'Mon'],
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

const DUTCH = {
  nl: {
    open: 'Chat openen',
    title: 'Chat met ons',
    unread: { one: '{0} bericht', other: '{0} berichten' },
  },
};

test.each([
  ["the page's", 'nl', 'en-GB', 'Chat openen', 'nl'],
  ["the visitor's, with a region", 'pl', 'nl-BE', 'Chat openen', 'nl-BE'],
  ['not chosen by the page', 'de', 'nl-NL', 'Chat öffnen', 'de'],
])('an added language is used if it is %s', async (_which, language, locale, open, lang) => {
  const { page, launcher, complaints } = await visit(browser, {
    language,
    context: { locale },
    configuration: { languages: DUTCH },
  });
  await page.getByRole('button', { name: open }).waitFor();
  const root = launcher.locator('xpath=ancestor-or-self::*[@lang]').first();
  expect(await root.getAttribute('lang')).toBe(lang);
  expect(complaints).toEqual([]);
});

test('an added language that is written from right to left turns the widget', async () => {
  const { page, panel } = await visit(browser, {
    language: 'ar',
    configuration: { languages: { ar: { open: 'افتح' } } },
  });
  await page.getByRole('button', { name: 'افتح' }).click();
  expect(await page.locator('.widget').getAttribute('dir')).toBe('rtl');
  // A title in Latin letters, too, begins at the right edge.
  const head = await panel.locator('.heading').boundingBox();
  const sideOf = await panel.locator('.title').evaluate((title) => {
    const range = (globalThis as any).document.createRange();
    range.selectNodeContents(title);
    return range.getBoundingClientRect().right as number;
  });
  expect(Math.round((head?.x ?? 0) + (head?.width ?? 0) - sideOf)).toBe(0);
});
