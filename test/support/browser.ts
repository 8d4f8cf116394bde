import { accessSync, constants } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** The shell draws pages only, and takes half of the time of the whole browser. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
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

/** Opens the machine's Chromium with a new profile. A test file opens and closes one. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: FLAGS, timeout: 60_000 });

/** Opens a page in a new browser context, until the test ends. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  return context.newPage();
}

function findChromium(): string {
  const given = process.env['CHROMIUM'];
  const found = [given ?? [], PLACES].flat().find(isProgram);
  if (found === undefined) {
    throw new Error(
      'These tests need Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to it',
    );
  }
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
