import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tags } from '#registry/tags.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { bindKey } from '../support/bind-key.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A browser's first page compiles 1.7 MB of script. */
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

const made = async (line: string): Promise<{ id: string; key: string }> =>
  JSON.parse((await frontdesk(['admin', ...line.split(' '), '--json'], variables)).stdout);

interface Visit {
  readonly page: Page;
  readonly url: string;
  /** Console errors, and requests to other hosts. */
  readonly complaints: string[];
}

/** Opens the page with all other hosts blocked. */
async function visit(options?: typeof PHONE): Promise<Visit> {
  const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
  const page = await openPage(browser, options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  await page.route(
    (to) => to.origin !== said.url && to.protocol !== 'data:',
    async (route) => {
      complaints.push(route.request().url());
      await route.abort();
    },
  );
  await page.goto(`${said.url}/docs`);
  await page.locator('.opblock-tag').first().waitFor(PATIENT);
  return { page, url: said.url, complaints };
}

const tabOf = ({ page }: Visit, tag: string) => page.locator(`.opblock-tag[data-tag="${tag}"]`);

test(
  'the page shows every tag with its description and requests nothing from other hosts',
  { timeout: LONG_MS },
  async () => {
    const visitor = await visit();
    const { page, complaints } = visitor;
    expect(await page.title()).toBe('API reference · Frontdesk');
    const shown = page.locator('.opblock-tag');
    expect(await shown.evaluateAll((all) => all.map((one) => (one as any).dataset.tag))).toEqual(
      Object.keys(tags),
    );
    expect(await tabOf(visitor, 'tasks').textContent()).toContain(tags['tasks']);
    for (const tag of ['contacts', 'webhooks', 'forms']) {
      await tabOf(visitor, tag).click();
      await page.locator(`.opblock[id^="operations-${tag}-"]`).first().waitFor();
    }
    await page.getByText('Get one contact').click();
    await page.getByText('Requires the scope').first().waitFor();
    expect(complaints).toEqual([]);
  },
);

test('a call runs with a key, which is kept in the page only', { timeout: LONG_MS }, async () => {
  const visitor = await visit();
  const { page, url, complaints } = visitor;
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').fill(key);
  await page.locator('.auth-container').getByRole('button', { name: 'Apply' }).click();
  await page.locator('.auth-container').getByRole('button', { name: 'Close' }).click();
  await tabOf(visitor, 'contacts').click();
  await page.getByText('Create a contact').click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  const [answer] = await Promise.all([
    page.waitForResponse(`${url}/api/v1/contacts`, PATIENT),
    page.getByRole('button', { name: 'Execute' }).click(),
  ]);
  expect(answer.status()).toBe(201);
  await page.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor();
  await page.locator('.opblock.is-open .opblock-summary-control').click();
  await page.getByText('List contacts, newest first').click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  const [list] = await Promise.all([
    page.waitForResponse(
      (response) => response.url().startsWith(`${url}/api/v1/contacts?`),
      PATIENT,
    ),
    page.getByRole('button', { name: 'Execute' }).click(),
  ]);
  expect([list.status(), (await list.json()).meta.total]).toEqual([200, 1]);
  const kept = await page.evaluate(
    'JSON.stringify([localStorage, sessionStorage, document.cookie])',
  );
  expect(kept).toBe('[{},{},""]');
  await page.reload();
  await page.locator('.btn.authorize.unlocked').first().waitFor(PATIENT);
  expect(complaints).toEqual([]);
});

test('nothing is wider than the screen of a phone', { timeout: LONG_MS }, async () => {
  const visitor = await visit(PHONE);
  const { page, complaints } = visitor;
  await tabOf(visitor, 'contacts').click();
  await page.getByText('Create a contact').click();
  await page.locator('.responses-table').first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(complaints).toEqual([]);
});
