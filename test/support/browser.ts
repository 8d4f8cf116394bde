import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findChromium } from './find-chromium.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process instead of three draws and loads: two fifths of a browser's time.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
];
/** Several browsers may share the machine. */
const PATIENCE_MS = 60_000;

/** Chromium crashes while it starts about once in a thousand times, before any test uses it. */
const STARTS_MAX = 3;
const CRASHED = 'Segmentation fault';

/** Opens the machine's Chromium with a new profile. A test file opens and closes one. */
export async function openBrowser(): Promise<Browser> {
  for (let start = 1; ; start += 1) {
    try {
      return await chromium.launch({
        executablePath: findChromium(),
        args: FLAGS,
        timeout: PATIENCE_MS,
      });
    } catch (error) {
      if (start === STARTS_MAX || !String(error).includes(CRASHED)) {
        throw error;
      }
    }
  }
}

/** Opens a page in a new browser context, until the test ends. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  return context.newPage();
}
