import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createClient } from '../sdk/src/main.ts';

/** Takes the pictures of the README from the running demo: `node docs/screenshots.ts`. */

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs/images');
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const VIEWPORT = { width: 840, height: 640 };
/** The part of the page that the chat covers. */
const CHAT = { x: 408, y: 0, width: 432, height: 640 };
const PAGE = { viewport: VIEWPORT, locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const;
const PATIENCE_MS = 60_000;

interface Demo {
  readonly url: string;
  readonly key: string;
  readonly subAccountId: string;
  readonly formId: string;
}

async function takePictures(page: Page, demo: Demo): Promise<void> {
  const { url, subAccountId, formId } = demo;
  const save = (name: string, clip?: typeof CHAT) =>
    page.screenshot({ path: join(IMAGES, `${name}.png`), ...(clip && { clip }) });
  await page.goto(`${url}/book/${subAccountId}/check-up`);
  await save('booking');
  await page.goto(`${url}/chat/demo?subAccountId=${subAccountId}`);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.keyboard.press('Enter');
  const composer = page.getByRole('textbox', { name: 'Your message' });
  await composer.fill('Hello! Is Tuesday still free?');
  await page.keyboard.press('Enter');
  await page.getByText('Is Tuesday still free?').first().waitFor();
  await reply(demo, 'It is. Would 10:00 suit you?');
  await page.getByText('Would 10:00 suit you?').first().waitFor();
  await save('chat', CHAT);
  await page.goto(`${url}/f/${formId}`);
  await save('form');
}

/** Replies to the newest chat, as an agent does. */
async function reply({ url, key }: Demo, bodyText: string): Promise<void> {
  const { conversations } = createClient({ baseUrl: url, apiKey: key });
  const { data } = await conversations.list({ channel: 'live_chat', limit: 1 });
  await conversations.send(data[0]?.id ?? '', { channel: 'live_chat', bodyText });
}

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-screenshots-'));
const args = ['up', '--port', '0', '--data', folder, '--demo', '--json'];
const up = spawn(join(ROOT, 'bin/frontdesk'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(up, 'exit');
try {
  await mkdir(IMAGES, { recursive: true });
  const [line] = (await once(up.stdout, 'data')) as [Buffer];
  const { url, demo } = JSON.parse(line.toString()) as { url: string; demo: Omit<Demo, 'url'> };
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ ...PAGE, colorScheme: 'light' });
  page.setDefaultTimeout(PATIENCE_MS);
  await takePictures(page, { url, ...demo });
  await browser.close();
} finally {
  up.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
}
