import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createClient } from '../sdk/src/main.ts';
import { takeConsole } from './console-pictures.ts';
import { fillForm, fillWaitingList, type Demo } from './prepare-pictures.ts';
import { findChromium } from '../test/support/find-chromium.ts';

/** Takes all pictures of the documentation from the running demo: `node docs/screenshots.ts`. */

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs/images');
const VIEWPORT = { width: 840, height: 640 };
/** The part of the page that the chat covers. */
const CHAT = { x: 408, y: 0, width: 432, height: 640 };
const PAGE = { viewport: VIEWPORT, locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const;
const PATIENCE_MS = 60_000;
const WEEK_MS = 604_800_000;

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

/** How a visitor may see a page: on a desktop and on a phone, in light and in dark. */
const LOOKS = [
  { viewport: { width: 1040, height: 720 }, colorScheme: 'light' },
  { viewport: { width: 1040, height: 720 }, colorScheme: 'dark' },
  { viewport: { width: 360, height: 720 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 720 }, colorScheme: 'dark' },
] as const;

/** Takes a picture of each customer page in all looks, side by side. */
async function takeLooks(browser: Browser, demo: Demo): Promise<void> {
  const { url, subAccountId, formId } = demo;
  const manage = await bookAppointment(demo);
  const paths: Readonly<Record<string, string>> = {
    'what-to-book': `/book/${subAccountId}`,
    times: `/book/${subAccountId}/check-up`,
    appointment: manage,
    reschedule: `${manage}/move`,
    form: `/f/${formId}`,
    sent: `/f/${formId}/sent`,
    error: `/book/${subAccountId}/nothing`,
    chat: `/chat/demo?subAccountId=${subAccountId}`,
  };
  for (const [name, path] of Object.entries(paths)) {
    const pictures: string[] = [];
    for (const look of LOOKS) {
      const page = await browser.newPage({ ...PAGE, ...look, reducedMotion: 'reduce' });
      await page.goto(url + path);
      if (name === 'chat' && look.viewport.width < 500) {
        await page.locator('.launcher').click();
      }
      await page.evaluate('document.fonts.ready');
      pictures.push((await page.screenshot()).toString('base64'));
      await page.close();
    }
    await joinPictures(browser, pictures, join(IMAGES, `design-${name}.png`));
  }
}

/** Books for a customer like a web site does, and returns the path of the appointment. */
async function bookAppointment({ url, subAccountId }: Demo): Promise<string> {
  const ask = async (path: string, init?: RequestInit) =>
    ((await (await fetch(`${url}/api/booking/${path}`, init)).json()) as { data: any }).data;
  const { types } = await ask(`config?subAccountId=${subAccountId}`);
  const [{ id: appointmentTypeId }] = types;
  const date = new Date(Date.now() + WEEK_MS).toISOString().slice(0, 10);
  const query = new URLSearchParams({ subAccountId, appointmentTypeId, date, endDate: date });
  const [slot] = await ask(`availability?${query.toString()}`);
  const { startTime, endTime } = slot;
  const who = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const { manageUrl } = await ask('appointments', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ subAccountId, appointmentTypeId, startTime, endTime, ...who }),
  });
  return new URL(manageUrl).pathname;
}

/** Lets an agent ask for something, so that an admin has something to decide. */
async function askApprovals({ url, key }: Demo): Promise<void> {
  const { contacts } = createClient({ baseUrl: url, apiKey: key });
  const { data } = await contacts.list({ limit: 2 });
  for (const { id } of data) {
    await callTool({ url, key }, { action: 'contacts.delete', arguments: { contactId: id } });
  }
}

/** Calls an action as an agent does. */
async function callTool({ url, key }: Pick<Demo, 'url' | 'key'>, given: object): Promise<void> {
  const params = { name: 'run_action', arguments: given };
  await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'user-agent': 'Booking assistant',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

/** Writes one picture of several, in a row. */
async function joinPictures(
  browser: Browser,
  pictures: readonly string[],
  path: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 420 } });
  const images = pictures.map((one) => `<img height="396" src="data:image/png;base64,${one}">`);
  await page.setContent(
    `<body style="display:flex;gap:12px;margin:12px;width:fit-content;background:#888">${images.join('')}`,
  );
  await page.locator('body').screenshot({ path });
  await page.close();
}

/** Replies to the newest chat, as an agent does. */
async function reply({ url, key }: Demo, bodyText: string): Promise<void> {
  const { conversations } = createClient({ baseUrl: url, apiKey: key });
  const { data } = await conversations.list({ channel: 'live_chat', limit: 1 });
  await conversations.send(data[0]?.id ?? '', { channel: 'live_chat', bodyText });
}

/** What `up` prints. */
interface Said {
  readonly url: string;
  readonly demo: Omit<Demo, 'url'>;
  readonly console: { readonly link: string };
}

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-screenshots-'));
const args = ['up', '--port', '0', '--data', folder, '--demo', '--json'];
const up = spawn(join(ROOT, 'bin/frontdesk'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(up, 'exit');
try {
  await mkdir(IMAGES, { recursive: true });
  const [line] = (await once(up.stdout, 'data')) as [Buffer];
  const said = JSON.parse(line.toString()) as Said;
  const { url, demo } = said;
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ ...PAGE, colorScheme: 'light' });
  page.setDefaultTimeout(PATIENCE_MS);
  await takePictures(page, { url, ...demo });
  await takeLooks(browser, { url, ...demo });
  await fillForm(page, { url, ...demo });
  await fillWaitingList({ url, ...demo });
  await askApprovals({ url, ...demo });
  await takeConsole(browser, { link: said.console.link, folder: IMAGES });
  await browser.close();
} finally {
  up.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
}
