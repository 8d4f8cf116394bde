import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { shoot } from './browser.support.ts';
import { CONTACT, setUpForm, setUpForms, submissionsOf } from './forms.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PATIENCE = { timeout: 60_000 };

const scriptOf = ({ url }: TestService, formId: string, title?: string): string =>
  `<script src="${url}/forms/embed.js" data-form="${formId}" ${title === undefined ? '' : `data-title="${title}"`}></script>`;

/** Opens a page of another site that contains the form, with a strict policy. */
async function openSite(
  { url }: TestService,
  content: string,
  viewport = { width: 900, height: 700 },
): Promise<Page> {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${url}; frame-src ${url}`;
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', policy);
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body><h1>Shop</h1>${content}<p>After it</p></body></html>`,
    );
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => void site.close());
  const page = await openPage(browser, { viewport });
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/shop`);
  return page;
}

/** The height of the frame, and that of the page in it. */
async function heightsOf(page: Page, frame: FrameLocator, index = 0): Promise<[number, number]> {
  const box = await page.locator('iframe').nth(index).boundingBox();
  const content = await frame
    .locator('html')
    .evaluate((root) => (root as unknown as { scrollHeight: number }).scrollHeight);
  return [Math.round(box?.height ?? 0), content];
}

const fits = ([frame, content]: readonly [number, number]): boolean => frame === content;

describe('a form in the page of another site', () => {
  test('is as high as its content, also after that changes, and can be sent', async ({
    service,
  }) => {
    const formId = await setUpForm(service);
    const page = await openSite(service, scriptOf(service, formId, 'Write to us'));
    const frame = page.frameLocator('iframe[title="Write to us"]');
    await frame.getByLabel('Email').waitFor();
    const heights = () => heightsOf(page, frame);
    await expect.poll(async () => fits(await heights()), PATIENCE).toBe(true);
    const [before] = await heights();
    expect(before).toBeLessThan(600);
    await shoot(page, 'embedded');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('Please fill this in.').waitFor();
    await expect.poll(async () => (await heights())[0], PATIENCE).toBeGreaterThan(before);
    expect(fits(await heights())).toBe(true);
    await frame.getByLabel('Email').fill('ada@example.com');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await submissionsOf(service)).toMatchObject([{ formId }]);
    expect(await service.eventNames()).toEqual(['contact.created', 'form.submitted']);
    expect(new URL(page.url()).pathname).toBe('/shop');
  });

  test('stands where its script stands, next to another one, as wide as the page', async ({
    service,
  }) => {
    const more = { name: 'more', label: 'More', type: 'textarea' };
    const ids = await setUpForms(service, [
      CONTACT,
      { ...CONTACT, key: 'long', fields: [...CONTACT.fields, more] },
    ]);
    const scripts = ['contact', 'long'].map((key) => scriptOf(service, ids[key] ?? ''));
    const page = await openSite(service, scripts.join('<hr>'), { width: 375, height: 740 });
    const frames = [0, 1].map((index) => page.frameLocator('iframe').nth(index));
    for (const [index, frame] of frames.entries()) {
      await frame.getByLabel('Email').waitFor();
      await expect.poll(async () => fits(await heightsOf(page, frame, index)), PATIENCE).toBe(true);
    }
    const [short, long] = await page
      .locator('iframe')
      .evaluateAll((all) => (all as unknown as { height: string }[]).map(({ height }) => +height));
    expect(long).toBeGreaterThan(short ?? 0);
    const order = await page
      .locator('h1, iframe, hr, p')
      .evaluateAll((all) =>
        (all as unknown as { tagName: string }[]).map(({ tagName }) => tagName),
      );
    expect(order).toEqual(['H1', 'IFRAME', 'HR', 'IFRAME', 'P']);
    const width = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
    expect(await page.evaluate(width)).toBe(true);
    expect(await page.locator('iframe').first().getAttribute('title')).toBe('Form');
  });

  test('takes its height from its own frame only', async ({ service }) => {
    const formId = await setUpForm(service);
    const page = await openSite(service, scriptOf(service, formId));
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Email').waitFor();
    await expect.poll(async () => fits(await heightsOf(page, frame)), PATIENCE).toBe(true);
    const height = await page.locator('iframe').getAttribute('height');
    // Messages arrive in order: after the last one, the others were handled.
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => data === 'last' && resolve());
      postMessage({ frontdeskHeight: 9000 }, '*');
      postMessage(null, '*');
      postMessage('last', '*');
    })`);
    expect(await page.locator('iframe').getAttribute('height')).toBe(height);
  });
});
