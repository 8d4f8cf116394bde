import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { linksOf, UNSUBSCRIBE } from '../../src/campaigns/compose/campaign-links.ts';
import { setUpChat } from '../chat/chat.support.ts';
import { managed } from '../booking/pages/page.support.ts';
import { CAMPAIGN, recipientsOf, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { setUpForm } from '../forms/forms.support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { apply } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

let browser: Browser;
let axe: string;
beforeAll(async () => {
  browser = await openBrowser();
  axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
});
afterAll(() => browser.close());

const LOGO_URL = 'https://cdn.harbour.example/logo;v=1,2.svg?size=64';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><rect width="96" height="32" rx="6" fill="#0a7d5a"/></svg>`;
const LONG_MS = 240_000;

const LOOKS = [
  ['light desktop', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['dark desktop', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ['light phone', { viewport: { width: 375, height: 740 }, colorScheme: 'light' }],
  ['dark phone', { viewport: { width: 375, height: 740 }, colorScheme: 'dark' }],
] as const;

const COLORS = [
  ['the default color', null],
  ['a very light color', '#fff4c2'],
  ['a very dark color', '#05070d'],
  ['a saturated color', '#ff2d00'],
] as const;

/** Sets up one page of each kind. Returns their addresses by name. */
async function pagesOf(service: TestService): Promise<Readonly<Record<string, string>>> {
  const { url, subAccountId, secrets } = service;
  const { path } = await managed(service);
  const fields = [
    { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
    { name: 'topic', label: 'Topic', type: 'select', options: ['Pain', 'Check-up'] },
    { name: 'news', label: 'Send me news', type: 'checkbox' },
    { name: 'note', label: 'Note', type: 'textarea' },
  ];
  const formId = await setUpForm(service, { fields });
  await setUpChat(service, {});
  await setUpCampaigns(service);
  const ada = { firstName: 'Ada', lastName: 'L', email: 'ada@example.com', phone: '+4930901820' };
  await service.call('POST /api/v1/contacts', { body: { ...ada, tags: ['client'] } });
  const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  const [recipient] = await recipientsOf(service, id);
  return {
    'what can be booked': `${url}/book/${subAccountId}`,
    times: `${url}/book/${subAccountId}/check-up?tz=UTC`,
    appointment: url + path,
    'moving it': `${url}${path}/move?tz=UTC`,
    form: `${url}/f/${formId}`,
    'sent form': `${url}/f/${formId}/sent`,
    preferences: linksOf(UNSUBSCRIBE, secrets, url)({ subAccountId, id: recipient?.id ?? '' }),
    'booking error': `${url}/book/${subAccountId}/nothing`,
    'form error': `${url}/f/nothing`,
    chat: `${url}/chat/demo?subAccountId=${subAccountId}`,
  };
}

interface Visit {
  readonly page: Page;
  /** Console errors except those of an expected 404, and violations of the policy. */
  readonly faults: string[];
}

async function openVisit(options: BrowserContextOptions): Promise<Visit> {
  const page = await openPage(browser, { reducedMotion: 'reduce', ...options });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('404')) {
      faults.push(line.text());
    }
  });
  await page.route(LOGO_URL, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: LOGO }),
  );
  return { page, faults };
}

/** Returns what axe finds, as `rule: element`. A color of the brand affects the contrast alone. */
async function findings(page: Page, isBranded: boolean): Promise<string[]> {
  await page.evaluate(axe);
  const options = {
    resultTypes: ['violations'],
    ...(isBranded && { runOnly: ['color-contrast'] }),
  };
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Writes a screenshot if FRONTDESK_TEST_SCREENSHOTS names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['FRONTDESK_TEST_SCREENSHOTS'];
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) });
  }
}

describe.for(COLORS)('with %s', ([name, brandColor]) => {
  test(
    'axe finds nothing on any customer page, in both themes',
    { timeout: LONG_MS },
    async ({ service }) => {
      const pages = await pagesOf(service);
      await apply(service, { subAccount: { brandColor, logoUrl: brandColor && LOGO_URL } });
      const looks =
        brandColor === null ? LOOKS : LOOKS.filter(([look]) => look.endsWith('desktop'));
      const checked: string[] = [];
      for (const [look, options] of looks) {
        const { page, faults } = await openVisit(options);
        for (const [kind, address] of Object.entries(pages)) {
          await page.goto(address);
          if (kind === 'chat') {
            // On a phone, the panel would cover the page: it opens by a click.
            await page.locator('.launcher').waitFor();
            if (look.endsWith('phone')) {
              await page.locator('.launcher').click();
            }
            await page.getByRole('dialog').waitFor();
          }
          if (kind === 'times') {
            await page.locator('a.slot').first().waitFor();
          }
          await picture(page, `${kind} ${name} ${look}`);
          expect([kind, look, await findings(page, brandColor !== null)]).toEqual([kind, look, []]);
          expect([kind, look, faults]).toEqual([kind, look, []]);
          checked.push(kind);
        }
      }
      expect(checked).toHaveLength(looks.length * Object.keys(pages).length);
    },
  );
});

/** Runs in the browser: the background of the first filled control, and whether the logo was drawn. */
const SEEN = `(() => {
  const host = document.querySelector('.frontdesk-chat')?.shadowRoot ?? document;
  const filled = host.querySelector('.primary, a.day[aria-current], .launcher');
  const style = filled && getComputedStyle(filled);
  const logo = document.querySelector('img.logo');
  return {
    brand: getComputedStyle(host.host ?? document.documentElement).getPropertyValue('--accent'),
    filled: style?.backgroundColor,
    logo: logo ? [logo.complete && logo.naturalWidth > 0, logo.alt] : null,
  };
})()`;

describe('a brand', () => {
  test(
    'is the same on every page of the sub-account: color, logo, and its icon in the tab',
    { timeout: LONG_MS },
    async ({ service }) => {
      const pages = await pagesOf(service);
      await apply(service, { subAccount: { brandColor: '#0A7D5A', logoUrl: LOGO_URL } });
      const { page, faults } = await openVisit({ colorScheme: 'light' });
      const seen: unknown[] = [];
      for (const [kind, address] of Object.entries(pages)) {
        await page.goto(address);
        if (kind === 'chat') {
          await page.getByRole('dialog').waitFor();
        }
        await page.waitForFunction(
          '[...document.querySelectorAll("img.logo")].every(({ complete }) => complete)',
        );
        const icon = await page.locator('link[rel=icon]').getAttribute('href');
        seen.push([kind, await page.evaluate(SEEN), icon?.includes('%230a7d5a')]);
      }
      const branded = { brand: '#0a7d5a', logo: [true, ''] };
      expect(seen).toMatchObject(
        Object.keys(pages).map((kind) => {
          switch (kind) {
            case 'chat':
              return [kind, { ...branded, logo: null }, false];
            case 'form error':
              // An unknown form belongs to no sub-account.
              return [kind, { brand: '#2456a6', logo: null }, false];
            default:
              return [kind, branded, true];
          }
        }),
      );
      expect(faults).toEqual([]);
    },
  );

  test('of a chat is replaced by the color of the chat', async ({ service }) => {
    await setUpChat(service, { color: '#7b1fa2' });
    await apply(service, { subAccount: { brandColor: '#0a7d5a' } });
    const { page } = await openVisit({ colorScheme: 'light' });
    await page.goto(`${service.url}/chat/demo?subAccountId=${service.subAccountId}`);
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(SEEN)).toMatchObject({ brand: '#7b1fa2' });
  });
});
