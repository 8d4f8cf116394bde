import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Configuration } from '../../web/chat/api.ts';
import { openPage } from '../support/browser.ts';
import { startChatPeer, SUB_ACCOUNT, type ChatPeer } from './chat-peer.ts';

/** Options of the page. */
interface SiteSettings {
  /** Further attributes of the script, such as `data-open`. */
  readonly attributes?: string;
  readonly csp?: string;
  readonly body?: string;
  readonly language?: string;
}

/** A website at another origin than the server. */
async function startSite(peer: ChatPeer, settings: SiteSettings = {}): Promise<string> {
  const { attributes = '', body = '<h1>A site</h1>', language = 'en' } = settings;
  const csp = settings.csp ?? strictCsp(peer);
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <title>A site</title>
    <script src="${peer.url}/chat/widget.js" data-sub-account="${SUB_ACCOUNT}" ${attributes} async></script>
    </head><body>${body}</body></html>`;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', csp);
    response.end(html);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The strictest policy that allows the widget: nothing inline, no other origins. */
const strictCsp = ({ url }: ChatPeer): string =>
  `default-src 'none'; script-src ${url}; connect-src ${url}; style-src 'self'; require-trusted-types-for 'script'`;

export interface Visit {
  readonly peer: ChatPeer;
  readonly page: Page;
  readonly site: string;
  /** Errors of scripts and of the CSP in the browser. */
  readonly complaints: readonly string[];
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly composer: Locator;
  readonly log: Locator;
}

export interface VisitSettings extends SiteSettings {
  readonly configuration?: Partial<Configuration>;
  readonly context?: BrowserContextOptions;
  /** A script that runs in the page before any other. */
  readonly before?: string;
  /** Changes the peer before the page is loaded. */
  readonly prepare?: (peer: ChatPeer, page: Page) => unknown;
}

/** A visitor on a site with the widget. */
export async function visit(browser: Browser, settings: VisitSettings = {}): Promise<Visit> {
  const peer = await startChatPeer(settings.configuration);
  onTestFinished(peer.close);
  const site = await startSite(peer, settings);
  const page = await openPage(browser, {
    locale: 'en-GB',
    // Without animations, nothing is clicked or measured while it moves.
    reducedMotion: 'reduce',
    ...settings.context,
  });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // Many of these tests provoke refused calls.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) {
      complaints.push(line.text());
    }
  });
  await settings.prepare?.(peer, page);
  if (settings.before !== undefined) {
    await page.addInitScript(settings.before);
  }
  await page.goto(site);
  return { peer, page, site, complaints, ...partsOf(page) };
}

export const partsOf = (page: Page) => ({
  launcher: page.locator('.launcher'),
  panel: page.getByRole('dialog'),
  composer: page.getByRole('textbox', { name: 'Your message' }),
  log: page.getByRole('log'),
});

/** Opens the panel and starts a chat. */
export async function begin({ page, launcher, composer }: Visit): Promise<void> {
  await launcher.click();
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Your email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Start chat' }).click();
  await composer.waitFor();
}

export async function write({ composer }: Pick<Visit, 'composer'>, text: string): Promise<void> {
  await composer.fill(text);
  await composer.press('Enter');
}

/** Options of `expect.poll`, long enough for a busy machine. */
export const PATIENT = { timeout: 60_000 };

/** Returns the current texts of the bubbles. */
export const texts = ({ log }: Pick<Visit, 'log'>): Promise<string[]> =>
  log.locator('.bubble').allTextContents();
