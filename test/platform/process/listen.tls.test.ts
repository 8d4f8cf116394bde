import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect as connectPlainly } from 'node:net';
import { connect } from 'node:tls';
import { FastResponse } from 'srvx';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CertificateFiles } from '#platform/process/certificate.ts';
import { listen, newLocalCertificate, type Listener } from '#platform/process/listen.ts';
import { secureGet } from '../../support/tls-client.ts';

const HOSTS = ['localhost', '127.0.0.1'];
/** Longer than a test may take: a test that waits for it fails. */
const GRACE_MS = 120_000;
const LARGE_BYTES = 8 * 1024 * 1024;

let certificate: CertificateFiles;
let renewed: CertificateFiles;
beforeAll(async () => {
  [certificate, renewed] = await Promise.all([
    newLocalCertificate(HOSTS),
    newLocalCertificate(HOSTS),
  ]);
});

let listener: Listener;
afterEach(() => listener.close(0));

async function serve(fetch: (request: Request) => Response | Promise<Response>) {
  listener = await listen(fetch, { host: '127.0.0.1', port: 0 }, certificate);
  return listener.url;
}

const echo = ({ url }: Request) => new FastResponse(url);
const get = (path = '/', agent?: Agent) =>
  secureGet(`${listener.url}${path}`, {
    ca: [certificate.cert, renewed.cert].join('\n'),
    ...(agent && { agent }),
  });

describe('a server with a certificate', () => {
  test('has an https URL, which it also sees in requests', async () => {
    const url = await serve(echo);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await get('/path?a=b')).toMatchObject({ status: 200, text: `${url}/path?a=b` });
  });

  test('keeps connections for further requests', async () => {
    await serve(echo);
    const agent = new Agent({ keepAlive: true });
    const answers = [await get('/1', agent), await get('/2', agent)];
    expect(answers.map(({ isReused }) => isReused)).toEqual([false, true]);
    agent.destroy();
  });

  test('uses a renewed certificate for new connections; existing ones go on', async () => {
    await serve(echo);
    const agent = new Agent({ keepAlive: true });
    const before = await get('/', agent);
    listener.setCertificate(renewed);
    expect(await get('/', agent)).toMatchObject({ isReused: true, serial: before.serial });
    expect((await get()).serial).not.toBe(before.serial);
    agent.destroy();
  });

  test('refuses malformed and oversized requests with an error envelope', async () => {
    const { port } = new URL(await serve(echo));
    for (const [head, status, code] of [
      ['NONSENSE\r\n\r\n', 400, 'VALIDATION_ERROR'],
      [`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ] as const) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', ca: certificate.cert });
      await once(socket, 'secureConnect');
      socket.write(head);
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      await once(socket, 'close');
      expect(answer).toContain(`HTTP/1.1 ${status}`);
      expect(answer).toContain(`"code":"${code}"`);
    }
  });

  test('closes connections that do not speak TLS, and goes on', async () => {
    const { port } = new URL(await serve(echo));
    const socket = connectPlainly(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'close');
    expect((await get()).status).toBe(200);
  });

  test('lets a running request finish when it closes', async () => {
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await serve(async () => {
      begun.resolve();
      await goOn.promise;
      return new FastResponse(Buffer.alloc(LARGE_BYTES, 'x'));
    });
    const answer = get();
    await begun.promise;
    const closed = listener.close(GRACE_MS);
    goOn.resolve();
    expect((await answer).text).toHaveLength(LARGE_BYTES);
    await closed;
  });

  test('is not kept open by idle connections and unfinished handshakes', async () => {
    const { port } = new URL(await serve(echo));
    const agent = new Agent({ keepAlive: true });
    await get('/', agent);
    const silent = connectPlainly(Number(port), '127.0.0.1');
    const unused = connect({ port: Number(port), host: '127.0.0.1', ca: certificate.cert });
    for (const socket of [silent, unused]) {
      socket.on('error', () => undefined);
    }
    await Promise.all([once(silent, 'connect'), once(unused, 'secureConnect')]);
    await expect(listener.close(GRACE_MS)).resolves.toBeUndefined();
    agent.destroy();
  });

  test('drops running requests after the grace period', async () => {
    const begun = Promise.withResolvers<void>();
    await serve(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const answer = get().catch((error: Error) => error.message);
    await begun.promise;
    await listener.close(50);
    expect(await answer).toBe('socket hang up');
  });

  test('streams', async () => {
    const source = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    await serve(
      () => new FastResponse(new ReadableStream({ start: (one) => source.resolve(one) })),
    );
    const answer = get();
    const controller = await source.promise;
    for (const text of ['one ', 'two']) {
      controller.enqueue(Buffer.from(text));
    }
    controller.close();
    expect((await answer).text).toBe('one two');
  });
});

test('a client that does not trust the certificate gets nothing', async () => {
  await serve(echo);
  await expect(secureGet(listener.url, { ca: renewed.cert })).rejects.toThrow(/certificate/);
});
