import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Configuration } from '../../web/chat/api.ts';
import { openPage } from '../support/browser.ts';
import { startChatPeer, SUB_ACCOUNT, type ChatPeer } from './chat-peer.ts';

/** What a page may be asked to differ in. */
interface SiteSettings {
  /** Further attributes of the script, such as `data-open`. */
  readonly attributes?: string;
  readonly csp?: string;
  readonly body?: string;
  readonly language?: string;
}

/** Another site, at a different origin than the server. */
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

/** As strict as a site can be that lets the widget in: nothing inline, nothing else from afar. */
const strictCsp = ({ url }: ChatPeer): string =>
  `default-src 'none'; script-src ${url}; connect-src ${url}; style-src 'self'; require-trusted-types-for 'script'`;

export interface Visit {
  readonly peer: ChatPeer;
  readonly page: Page;
  readonly site: string;
  /** What the browser complained about: errors of scripts and of the CSP. */
  readonly complaints: readonly string[];
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly composer: Locator;
  readonly log: Locator;
}

export interface VisitSettings extends SiteSettings {
  readonly configuration?: Partial<Configuration>;
  readonly context?: BrowserContextOptions;
  /** Runs in the page before anything else. */
  readonly before?: string;
  /** Changes the peer before the page is loaded. */
  readonly prepare?: (peer: ChatPeer, page: Page) => unknown;
}

/** A visitor on a site that carries the widget. */
export async function visit(browser: Browser, settings: VisitSettings = {}): Promise<Visit> {
  const peer = await startChatPeer(settings.configuration);
  onTestFinished(peer.close);
  const site = await startSite(peer, settings);
  const page = await openPage(browser, {
    locale: 'en-GB',
    // Nothing is clicked or measured on its way.
    reducedMotion: 'reduce',
    ...settings.context,
  });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    // A refused call is what many of these tests are about.
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

/** Opens the panel and begins a chat. */
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

/** For `expect.poll`: however busy the machine is. */
export const PATIENT = { timeout: 60_000 };

/** The bubbles' texts, as they stand. */
export const texts = ({ log }: Pick<Visit, 'log'>): Promise<string[]> =>
  log.locator('.bubble').allTextContents();
