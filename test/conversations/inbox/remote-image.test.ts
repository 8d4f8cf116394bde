import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';
import { openOutbound } from '#platform/outbound/client.ts';
import { readRemoteImage } from '../../../src/conversations/inbox/remote-image.ts';
import { signInAs } from '../../support/people.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { callBack, setUpBridge } from '../inbound/callbacks.support.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const MIB = 2 ** 20;

/** The path of each request that arrived. */
const requested: string[] = [];
let server: Server;
let base: string;
const outbound = openOutbound({ allow: ['127.0.0.0/8'] });

beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    requested.push(url);
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (headers.referer !== undefined || headers.cookie !== undefined) {
      response.writeHead(400).end();
    } else if (pathname === '/moved.png') {
      response.writeHead(302, { location: '/logo.png' }).end();
    } else if (pathname === '/round.png') {
      response.writeHead(302, { location: '/round.png' }).end();
    } else if (pathname === '/page.png') {
      response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>');
    } else if (pathname === '/picture.svg') {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="x"/>');
    } else if (pathname === '/large.png') {
      const bytes = Number(searchParams.get('bytes'));
      response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]));
    } else if (pathname === '/hang.png') {
      // It never responds.
    } else if (pathname === '/gone.png') {
      response.writeHead(404).end(PNG);
    } else {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await outbound.close();
  server.close();
});

/** Receives a mail with this HTML, and returns its ids. */
async function received(service: TestService, bodyHtml: string) {
  await setUpBridge(service, 'email');
  const mail = { externalId: crypto.randomUUID(), from: 'ada@example.com', bodyText: 'Hello' };
  const { body } = await callBack(service, 'email', 'inbound', { ...mail, bodyHtml });
  const [thread] = (await service.call('GET /api/v1/conversations')).body.data;
  return { conversationId: thread.id as string, messageId: body.data.messageId as string };
}

const read = (
  { openView, subAccountId }: TestService,
  ids: { readonly conversationId: string; readonly messageId: string },
  url: string,
  { to = subAccountId, userId = 'a' } = {},
) => readRemoteImage(openView(to, new Date()), outbound, { ...ids, url, userId });

describe('an image on another server', () => {
  test.for(['/logo.png', '/logo.png?a=1&b=2', '/moved.png', `/large.png?bytes=${5 * MIB}`])(
    'is fetched with its type by its bytes: %s',
    async (path, { service }) => {
      const written = (base + path).replaceAll('&', '&amp;');
      const ids = await received(service, `<p>Hi</p><img src="${written}">`);
      const { document } = await read(service, ids, base + path);
      expect(document?.type).toBe('image/png');
      expect(Buffer.from(document?.body ?? '').subarray(0, PNG.length)).toEqual(PNG);
      expect(document?.headers?.['content-security-policy']).toBe("sandbox; default-src 'none'");
    },
  );

  test.for([
    'src="BASE/logo.png?a=1&amp;b=2&c=3"',
    "src = 'BASE/logo.png?a=1&#38;b=2&#x26;c=3'",
    'alt="Logo"SRC=BASE/logo.png?a=1&b=2&c=3 width=1',
  ])('is fetched however its address is written: %s', async (attributes, { service }) => {
    const ids = await received(service, `<img ${attributes.replace('BASE', base)}>`);
    const { document } = await read(service, ids, `${base}/logo.png?a=1&b=2&c=3`);
    expect(document?.type).toBe('image/png');
  });

  test('is fetched while those of another user hang', async ({ service }) => {
    const hanging = `${base}/hang.png`;
    const ids = await received(service, `<img src="${hanging}"><img src="${base}/logo.png">`);
    const ended = Array.from({ length: 70 }, () =>
      read(service, ids, hanging, { userId: 'b' }).catch((error: Error) => error.message),
    );
    await expect.poll(() => requested.filter((path) => path === '/hang.png').length).toBe(64);
    expect((await read(service, ids, `${base}/logo.png`)).document?.type).toBe('image/png');
    server.closeAllConnections();
    expect(new Set(await Promise.all(ended))).toEqual(new Set(['image not found']));
  });

  test.for([
    '/page.png',
    '/picture.svg',
    '/gone.png',
    '/round.png',
    `/large.png?bytes=${5 * MIB + 1}`,
  ])('is not found if it is no image or cannot be fetched: %s', async (path, { service }) => {
    const ids = await received(service, `<img src="${base}${path}">`);
    await expect(read(service, ids, base + path)).rejects.toThrow('image not found');
  });

  test('is not requested if the message does not refer to it, or is of others', async ({
    service,
  }) => {
    const url = `${base}/logo.png`;
    const ids = await received(service, `<a href="${base}/link.png"></a><img src="${url}">`);
    requested.length = 0;
    const other = { ...ids, conversationId: crypto.randomUUID() };
    for (const attempt of [
      () => read(service, ids, `${base}/other.png`),
      () => read(service, other, url),
      () => read(service, { ...ids, messageId: crypto.randomUUID() }, url),
      () => read(service, ids, url, { to: service.otherSubAccountId }),
      () => read(service, ids, `${base}/link.png`),
      () => read(service, ids, `${base}/logo`),
      () => read(service, ids, 'img'),
    ]) {
      await expect(attempt()).rejects.toThrow('image not found');
    }
    expect(requested).toEqual([]);
  });

  test('on a private address is not fetched by the endpoint', async ({ service }) => {
    const url = `${base}/logo.png`;
    const { conversationId, messageId } = await received(service, `<img src="${url}">`);
    const { call } = await signInAs(service, 'viewer');
    requested.length = 0;
    const query = new URLSearchParams({ url }).toString();
    const path = `/console/api/v1/conversations/${conversationId}/messages/${messageId}/image`;
    expect((await call(`GET ${path}?${query}`)).status).toBe(404);
    expect(requested).toEqual([]);
  });
});
