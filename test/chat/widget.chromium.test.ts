import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { follow } from '../support/event-source.ts';
import { openProxy } from '../support/proxy.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { caller } from '../support/service.ts';
import { bindKey } from '../support/bind-key.ts';

const PATIENT = { timeout: 60_000, interval: 20 };

let browser: Browser;
let database: TestDatabase;
let variables: Variables;
let subAccountId: string;
let key: string;

beforeAll(async () => {
  [browser, database] = await Promise.all([openBrowser(), createDatabase()]);
  variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  ({ id: subAccountId } = await admin('sub-account', 'create', '--name', 'Harbour'));
  const scopes = ['--scopes', 'all', '--name', 'bot', '--sub-account', subAccountId];
  ({ key } = await admin('key', 'create', ...scopes));
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-chat-'));
  const file = join(folder, 'harbour.yaml');
  await writeFile(file, 'chat: {title: Chat with Harbour, welcomeMessage: Hello!}\n');
  await admin('apply', '-f', file, '--sub-account', subAccountId);
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await database.drop();
});

async function admin(...args: readonly string[]): Promise<any> {
  const { stdout, stderr } = await frontdesk(['admin', ...args, '--json'], variables);
  if (stdout === '') {
    throw new Error(stderr);
  }
  return JSON.parse(stdout);
}

const serve = () => startFrontdesk(['serve', '--port', '0'], variables);

/** A website at another origin than the service, with the strictest possible policy. */
async function startSite(service: string): Promise<string> {
  const widget = `<script src="${service}/chat/widget.js" data-sub-account="${subAccountId}" async></script>`;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${service}; connect-src ${service}`,
    );
    // Such a page loads only resources that allow cross-origin loading.
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.end(`<!doctype html><html lang="en"><title>A site</title><body>${widget}</body>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Errors that the page's browser reports. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (
      ['error', 'warning'].includes(line.type()) &&
      !line.location().url.endsWith('favicon.ico')
    ) {
      complaints.push(line.text());
    }
  });
  return complaints;
}

async function beginChat(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Open chat' }).click();
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Start chat' }).click();
}

async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: 'Your message' });
  await composer.fill(text);
  await composer.press('Enter');
}

const receivedBy = async (call: ReturnType<typeof caller>): Promise<any[]> => {
  const { body } = await call('GET /api/v1/events');
  return body.data.filter(({ event }: { event: string }) => event === 'message.received');
};

describe('a visitor of a customer’s website', () => {
  test('gets a reply of a bot from another process while the page is open', async () => {
    const [near, far] = await Promise.all([serve(), serve()]);
    const page = await openPage(browser);
    const complaints = complaintsOf(page);
    await page.goto(await startSite(near.said.url));
    await beginChat(page, 'Grace Hopper');
    await say(page, 'Is <b>Tuesday</b> free?');

    const bot = caller(far.said.url, { full: key });
    await expect.poll(() => receivedBy(bot), PATIENT).toHaveLength(1);
    const [{ data }] = await receivedBy(bot);
    expect(data).toMatchObject({ channel: 'live_chat', bodyText: 'Is <b>Tuesday</b> free?' });
    const line = `POST /api/v1/conversations/${data.conversationId}/messages`;
    for (const bodyText of ['It is.', 'At <i>ten</i>, {{firstName}}?']) {
      const { status } = await bot(line, { body: { channel: 'live_chat', bodyText } });
      expect(status).toBe(201);
    }
    await page.getByText('At <i>ten</i>, Grace?').waitFor();
    await page.getByText('It is.').waitFor();

    await say(page, 'Yes');
    await expect.poll(() => receivedBy(bot), PATIENT).toHaveLength(2);
    expect(complaints).toEqual([]);
    // The page's stream does not keep either process from stopping.
    expect(await Promise.all([near.end(), far.end()])).toEqual([0, 0]);
  });

  test('keeps the chat after a reload and a killed process', async () => {
    const [first, second] = await Promise.all([serve(), serve()]);
    const front = await openProxy(first.said.url);
    onTestFinished(() => front.cut());
    const page = await openPage(browser);
    await page.goto(await startSite(front.url.replace(/\/$/, '')));
    await beginChat(page, 'Ada');
    await say(page, 'Are you there?');
    const call = caller(second.said.url, { full: key });
    await expect.poll(async () => (await chatsOf(call))[0]?.unreadCount, PATIENT).toBe(1);
    const [{ id }] = await chatsOf(call);

    await first.end('SIGKILL');
    await front.cut();
    const body = { channel: 'live_chat', bodyText: 'Again I am' };
    await call(`POST /api/v1/conversations/${id}/messages`, { body });
    await front.restore(second.said.url);
    await page.getByText('Again I am').waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Open chat/ }).click();
    await page.getByText('Again I am').waitFor();
    await page.getByText('Are you there?').waitFor();
  });

  test('is disconnected gracefully by a stopping process', async () => {
    const server = await serve();
    const visit = caller(server.said.url, {});
    const { body } = await visit('POST /api/chat/session', {
      key: null,
      body: { subAccountId, visitorName: 'Alan' },
    });
    const stream = await follow(
      `${server.said.url}/api/chat/stream?sessionId=${body.data.sessionId}`,
    );
    expect(await server.end()).toBe(0);
    expect(await stream.ended).toBe('closed');
  });

  test('can use the demo page, whose policy allows the whole widget', async () => {
    const server = await serve();
    const page = await openPage(browser);
    const complaints = complaintsOf(page);
    await page.goto(`${server.said.url}/chat/demo?subAccountId=${subAccountId}`);
    await page.getByLabel('Your name').fill('Edsger');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await say(page, 'On the demo page');
    const call = caller(server.said.url, { full: key });
    const received = async () => (await receivedBy(call)).map(({ data }) => data.bodyText);
    await expect.poll(received, PATIENT).toContain('On the demo page');
    expect(complaints).toEqual([]);
  });
});

const chatsOf = async (call: ReturnType<typeof caller>): Promise<any[]> =>
  (await call('GET /api/v1/conversations?channel=live_chat')).body.data;
