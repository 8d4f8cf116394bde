import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindKey } from '../support/bind-key.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { axeFindings, COLORS } from '../support/looks.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PATIENT = { timeout: 60_000 };
const LONG_MS = 180_000;

let browser: Browser;
let database: TestDatabase;
let variables: Variables;
let key: string;
beforeAll(async () => {
  browser = await openBrowser();
  database = await createDatabase();
  variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  const { id } = await made('sub-account create --name Harbour');
  ({ key } = await made(`key create --sub-account ${id} --name docs --scopes all`));
});
afterAll(async () => {
  await browser.close();
  await database.drop();
});

const isInView = async (page: Page, selector: string): Promise<boolean> => {
  const box = await page.locator(selector).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
};

const made = async (line: string): Promise<{ id: string; key: string }> =>
  JSON.parse((await frontdesk(['admin', ...line.split(' '), '--json'], variables)).stdout);

interface Visit {
  readonly page: Page;
  readonly url: string;
  /** Console errors, violations of the policy, and requests to other hosts. */
  readonly faults: string[];
  open(path: string): Promise<void>;
}

/** Opens a page with all other hosts blocked. */
async function visit(path: string, options?: BrowserContextOptions): Promise<Visit> {
  const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
  const page = await openPage(browser, options);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
  await page.route(
    (to) => to.origin !== said.url && to.protocol !== 'data:',
    async (route) => {
      faults.push(route.request().url());
      await route.abort();
    },
  );
  const open = async (to: string) => void (await page.goto(said.url + to));
  await open(path);
  return { page, url: said.url, faults, open };
}

const search = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const results = (page: Page) => page.getByRole('option');

describe('search', () => {
  test('finds a guide and opens it with the keyboard', { timeout: LONG_MS }, async () => {
    const { page, url, faults } = await visit('/docs');
    await page.keyboard.press('/');
    await search(page).fill('verify signature webhook');
    await results(page).filter({ hasText: 'Verify each request' }).first().waitFor(PATIENT);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/docs/receive-webhooks#*`, PATIENT);
    expect(faults).toEqual([]);
  });

  test(
    'finds an endpoint and an error code, and says where it finds nothing',
    {
      timeout: LONG_MS,
    },
    async () => {
      const { page, url, faults } = await visit('/docs/api');
      await page.keyboard.press('Control+k');
      await search(page).fill('create contact');
      await page.locator('[role=option][href$="api-contacts#contacts-create"]').click(PATIENT);
      await page.waitForURL(`${url}/docs/api-contacts#contacts-create`, PATIENT);
      await page.getByRole('button', { name: 'Search' }).click();
      await search(page).fill('rate_limited');
      await results(page).filter({ hasText: 'RATE_LIMITED' }).first().waitFor(PATIENT);
      await search(page).fill('qqqqqq');
      await page.getByText('No results for').waitFor(PATIENT);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(faults).toEqual([]);
    },
  );
});

test(
  'a language that is chosen shows in all examples, and on the next page',
  {
    timeout: LONG_MS,
  },
  async () => {
    const { page, url, faults, open } = await visit('/docs/api-contacts');
    const shown = () => page.locator('.operation .tabs section:visible').allTextContents();
    expect((await shown())[0]).toContain(`curl "${url}/api/v1/contacts"`);
    await page.getByRole('tab', { name: 'Python' }).first().click();
    const texts = await shown();
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => !text.includes('import requests'))).toEqual([]);
    await open('/docs/api-tasks');
    expect((await shown())[0]).toContain('import requests');
    expect(faults).toEqual([]);
  },
);

test(
  'a request can be tried with a key, which is kept in the page only',
  {
    timeout: LONG_MS,
  },
  async () => {
    const { page, url, faults } = await visit('/docs/api-contacts');
    const send = async (anchor: string) => {
      await page
        .locator(`.operation:has(#${anchor})`)
        .getByRole('button', { name: 'Try it' })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Requests run against your live data.').waitFor();
      if (anchor === 'contacts-create') {
        await dialog.getByLabel('API key').fill(key);
      } else {
        await dialog.getByLabel('hasPhone').selectOption('false');
        await dialog.getByLabel('lifecycleStage').selectOption('lead');
      }
      const [answer] = await Promise.all([
        page.waitForResponse((one) => one.url().startsWith(`${url}/api/v1/contacts`), PATIENT),
        dialog.getByRole('button', { name: 'Send request' }).click(),
      ]);
      await dialog.locator('.output pre').waitFor();
      await expect.poll(() => isInView(page, '.output .status'), PATIENT).toBe(true);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).click();
      return answer;
    };
    expect((await send('contacts-create')).status()).toBe(201);
    const list = await send('contacts-list');
    expect(new URL(list.url()).search).toBe('?lifecycleStage=lead&hasPhone=false');
    expect(list.status()).toBe(200);
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    );
    expect(kept).toBe('[{},{},""]');
    expect(faults).toEqual([]);
  },
);

test('colors follow the system until the reader chooses', { timeout: LONG_MS }, async () => {
  const { page, faults, open } = await visit('/docs', { colorScheme: 'dark' });
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await paper();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(paper, PATIENT).not.toBe(dark);
  await page.getByRole('button', { name: 'Use dark colors' }).click();
  await expect.poll(paper, PATIENT).toBe(dark);
  await open('/docs/api');
  expect(await paper()).toBe(dark);
  await page.getByRole('button', { name: 'Use light colors' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(paper, PATIENT).toBe(dark);
  expect(faults).toEqual([]);
});

describe('on a phone', () => {
  test(
    'nothing is wider than the screen, and the menu leads on',
    { timeout: LONG_MS },
    async () => {
      const { page, url, faults, open } = await visit('/docs', PHONE);
      for (const path of [
        '/docs',
        '/docs/webhooks',
        '/docs/cli',
        '/docs/manifest',
        '/docs/api-contacts',
      ]) {
        await open(path);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([path, width]).toEqual([path, 390]);
      }
      const navigation = page.getByRole('navigation', { name: 'Documentation' });
      expect(await navigation.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Navigation' }).click();
      await navigation.getByRole('link', { name: 'Live chat', exact: true }).click();
      await page.waitForURL(`${url}/docs/chat`, PATIENT);
      expect(await navigation.isVisible()).toBe(false);
      expect(faults).toEqual([]);
    },
  );
});

describe('for everybody', () => {
  test.for(['light', 'dark'] as const)(
    'axe has no findings in %s colors',
    {
      timeout: LONG_MS,
    },
    async (colorScheme) => {
      const { page, open } = await visit('/docs', { colorScheme });
      const rules = colorScheme === 'dark' ? COLORS : undefined;
      for (const path of [
        '/docs',
        '/docs/api',
        '/docs/webhooks',
        '/docs/cli',
        '/docs/api-contacts',
      ]) {
        await open(path);
        expect([path, await axeFindings(page, rules)]).toEqual([path, []]);
      }
      await page.keyboard.press('/');
      await search(page).fill('contact');
      await results(page).first().waitFor(PATIENT);
      expect(await axeFindings(page, rules)).toEqual([]);
    },
  );

  test('pages read and link without JavaScript', { timeout: LONG_MS }, async () => {
    const { page, url, faults } = await visit('/docs/api-contacts', { javaScriptEnabled: false });
    expect(await page.getByText('import requests').first().isVisible()).toBe(true);
    await page.getByRole('link', { name: 'API basics', exact: true }).click();
    await page.waitForURL(`${url}/docs/api`, PATIENT);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The API');
    expect(faults).toEqual([]);
  });

  test('the first stop of the keyboard skips to the content', { timeout: LONG_MS }, async () => {
    const { page } = await visit('/docs/api');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });
});
