import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };
const SECRET = 'bridge-secret';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

let browser: Browser;
let place: Installation;
let images: Server;
const requested: string[] = [];
beforeAll(async () => {
  images = createServer(({ url = '' }, response) => {
    requested.push(url);
    response.writeHead(url === '/gone.png' ? 404 : 200).end(PNG);
  });
  await once(images.listen(0, '127.0.0.1'), 'listening');
  [browser, place] = await Promise.all([
    openBrowser(),
    install({ FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8' }),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-mail-images-'));
  const file = join(folder, 'manifest.json');
  const email = { provider: 'http', apiBaseUrl: 'https://bridge.example', secret: SECRET };
  await writeFile(file, JSON.stringify({ channels: { email } }));
  await place.admin(`apply -f ${file} --sub-account ${place.subAccountId} --yes`);
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await place?.close();
  images?.close();
});

test('the images of a mail are loaded once they are asked for, by the server', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  const base = `http://127.0.0.1:${(images.address() as AddressInfo).port}`;
  const raw = JSON.stringify({
    externalId: 'mail-1',
    from: 'ada@example.com',
    contactName: 'Ada Lovelace',
    bodyText: 'Look at this',
    bodyHtml: `<p>Look at this</p><img alt="Logo" src="${base}/logo.png?a=1&amp;b=2">
      <img alt="Gone" src="${base}/gone.png"><img alt="Again" src="${base}/logo.png?a=1&amp;b=2">`,
  });
  const signature = createHmac('sha256', SECRET).update(raw).digest('hex');
  const answer = await fetch(`${url}/webhooks/provider/${place.subAccountId}/email/inbound`, {
    method: 'POST',
    body: raw,
    headers: { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` },
  });
  expect(answer.status).toBe(200);

  await page.getByRole('link', { name: /Ada Lovelace/ }).click(PATIENCE);
  await page.getByRole('button', { name: 'Show the mail as sent' }).click(PATIENCE);
  const mail = page.frameLocator('iframe[title="Mail"]');
  await mail.getByText('Look at this').waitFor(PATIENCE);
  await page.getByText('Images on other servers are not loaded').waitFor(PATIENCE);
  expect(await axeFindings(page)).toEqual([]);
  expect(requested).toEqual([]);

  await page.getByRole('button', { name: 'Show images' }).press('Enter');
  const focused = () => page.evaluate('document.activeElement.title');
  await expect.poll(focused, PATIENCE).toBe('Mail');
  const widthOf = (alt: string) =>
    mail.getByAltText(alt).evaluate((image: { naturalWidth: number }) => image.naturalWidth);
  await expect.poll(() => widthOf('Logo'), PATIENCE).toBe(1);
  await expect.poll(() => widthOf('Again'), PATIENCE).toBe(1);
  expect(requested).toEqual(['/logo.png?a=1&b=2', '/gone.png']);
  expect(await page.getByRole('button', { name: 'Show images' }).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  expect(faults.filter((text) => !/status of 404/.test(text))).toEqual([]);
});
