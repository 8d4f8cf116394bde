import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';

let browser: Browser;
let script: string;
beforeAll(async () => {
  browser = await openBrowser();
  const { outputFiles } = await build({
    entryPoints: ['web/console/inbox/fill-mail-frame.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'mailFrame',
  });
  script = outputFiles[0]?.text ?? '';
});
afterAll(() => browser.close());

/** Fills a frame with a mail, and returns what is in it and what the browser reports. */
async function fill(html: string) {
  const page = await openPage(browser);
  const reports: string[] = [];
  page.on('console', (line) => reports.push(line.text()));
  await page.route('**/*', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': "default-src 'self'; base-uri 'none'" },
      body: '<iframe sandbox="allow-same-origin"></iframe>',
    }),
  );
  await page.goto('http://console.example/');
  const shown: any = await page.evaluate(`(() => {
    ${script}
    const frame = document.querySelector('iframe');
    const { isCut } = mailFrame.fillMailFrame(frame, ${JSON.stringify(html)});
    const { body } = frame.contentDocument;
    const elements = body.querySelectorAll('*').length;
    const { color } = body.querySelector('p').style;
    return { isCut, elements, color, end: body.textContent.slice(-8) };
  })()`);
  return { ...shown, reports };
}

test.each([
  [25_000, { isCut: true, elements: 20_000, end: 'xxxxxxxx' }],
  [19_998, { isCut: false, elements: 20_000, end: 'The end.' }],
])('of a mail, at most 20,000 elements are shown: %i in a paragraph', async (count, shown) => {
  const html = `<p style="color: red">${'<b>x</b>'.repeat(count)}</p><p>The end.</p>`;
  expect(await fill(html)).toEqual({ ...shown, color: 'red', reports: [] });
});

test('a mail with a base is shown without a report of the browser', async () => {
  const base = '<base href="https://other.example/">';
  const html = `<html><head>${base}</head><body>${base}<p style="color: red">The end.</p></body></html>`;
  const shown = { isCut: false, elements: 1, color: 'red', end: 'The end.' };
  expect(await fill(html)).toEqual({ ...shown, reports: [] });
});

test('an element with hundreds of thousands of attributes is replaced by its content', async () => {
  const attributes = Array.from({ length: 300_000 }, (_, index) => `a${index}`).join(' ');
  const html = `<p style="color: red">Before. <b ${attributes}>The end.</b></p>`;
  const shown = { isCut: false, elements: 1, color: 'red', end: 'The end.' };
  expect(await fill(html)).toEqual({ ...shown, reports: [] });
});
