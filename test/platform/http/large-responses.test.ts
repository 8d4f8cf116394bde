import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endIfStalled, limitSending } from '#platform/http/large-responses.ts';
import type { CallResponse } from '#platform/http/response.ts';
import { cyclesDuring } from '../../support/cycles.ts';

const LARGE = { status: 200, text: 'x'.repeat(2_000_000) };
const SMALL = { status: 200, text: 'x'.repeat(200_000) };
/** Half of the places: a sub-account leaves as many free as it takes. */
const SHARE = 16;

const DOWNLOAD_SHARE = 64;

/** What is used of a response of node:http. */
class Sent extends EventEmitter {
  setTimeout(): this {
    return this;
  }
}

let sent: Sent;

beforeEach(() => {
  sent = new Sent();
  sent.setMaxListeners(2 * DOWNLOAD_SHARE);
});

const onError = vi.fn<(error: unknown) => void>();

const send = (response: CallResponse, holder: string, node: object = sent, method = 'GET') =>
  limitSending(response, holder, { method, runtime: { node: { res: node } } as never }, onError);

const refusal = expect.objectContaining({
  code: 'SERVICE_UNAVAILABLE',
  headers: { 'retry-after': '1' },
});

describe('large responses', () => {
  test('of one sub-account leave places to others, and are counted until they are sent', async () => {
    for (let n = 0; n < SHARE; n += 1) {
      await send(LARGE, 'a');
    }
    await expect(send(LARGE, 'a')).rejects.toEqual(refusal);
    expect(await send(SMALL, 'a')).toBe(SMALL);
    expect(await send(LARGE, 'b')).toBe(LARGE);
    // Its change is committed: the caller of a refused one would repeat it.
    expect(await send(LARGE, 'a', sent, 'POST')).toBe(LARGE);

    sent.emit('close');
    expect(await send(LARGE, 'a')).toBe(LARGE);
    sent.emit('close');
  });

  test('are also documents, such as images and previews', async () => {
    const document = { type: 'image/png', body: Buffer.alloc(2_000_000) };
    const image = { status: 200, text: '', document };
    for (let n = 0; n < SHARE; n += 1) {
      expect(await send(image, 'a')).toBe(image);
    }
    await expect(send(image, 'a')).rejects.toEqual(refusal);
    sent.emit('close');
  });

  test('take no place if the client has left', async () => {
    const left = Object.assign(new EventEmitter(), { destroyed: true });
    for (let n = 0; n <= SHARE; n += 1) {
      await send(LARGE, 'a', left);
    }
    expect(left.listenerCount('close')).toBe(0);
    expect(await send(LARGE, 'a')).toBe(LARGE);
    sent.emit('close');
  });
});

describe('downloads', () => {
  const download = (cancel = vi.fn<() => void>()) => ({
    status: 200,
    text: '',
    isDownload: true as const,
    stream: new ReadableStream<Uint8Array>({ cancel }),
  });

  test('of one holder leave places to others; the stream of a refused one is closed', async () => {
    for (let n = 0; n < DOWNLOAD_SHARE; n += 1) {
      await send(download(), 'a');
    }
    const cancel = vi.fn<() => void>();
    await expect(send(download(cancel), 'a')).rejects.toEqual(refusal);
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(await send(download(), 'b')).toMatchObject({ status: 200 });
    sent.emit('close');
  });

  test('take turns: new connections are accepted between the pieces of many', async () => {
    const contents = Array.from({ length: 5 }, (_, n) => Buffer.from(String(n)));
    const all = Array.from({ length: 50 }, async () => {
      const { stream } = await send({ ...download(), stream: ReadableStream.from(contents) }, 'a');
      return text(stream as ReadableStream<Uint8Array>);
    });
    const read = Promise.all(all);
    expect(await cyclesDuring(read)).toBeGreaterThanOrEqual(50 * contents.length);
    expect(new Set(await read)).toEqual(new Set(['01234']));
    sent.emit('close');
  });

  test('whose client leaves are closed', async () => {
    const cancel = vi.fn<() => void>();
    const { stream } = await send(download(cancel), 'a');
    await stream?.cancel();
    expect(cancel).toHaveBeenCalledTimes(1);
    sent.emit('close');
  });

  test('that cannot be read to their end are broken off, and their errors reported', async () => {
    const error = new Error('the disk is gone');
    async function* contents() {
      yield Buffer.from('0');
      throw error;
    }
    const { stream } = await send({ ...download(), stream: ReadableStream.from(contents()) }, 'a');
    await expect(text(stream as ReadableStream<Uint8Array>)).rejects.toBe(error);
    expect(onError.mock.calls).toEqual([[error]]);
    sent.emit('close');
  });

  test('do not count as large responses', async () => {
    for (let n = 0; n < DOWNLOAD_SHARE; n += 1) {
      await send(download(), 'a');
    }
    expect(await send(LARGE, 'a')).toBe(LARGE);
    sent.emit('close');
  });
});

describe('a response whose client stops reading', () => {
  const STALLED_MS = 1_000;
  const PAUSE_EVERY_BYTES = 2_000_000;
  const CHUNK = Buffer.alloc(256 * 1024, 'x');

  async function respondTo(write: (response: ServerResponse) => void) {
    const server = createServer((_, response) => {
      endIfStalled(response, STALLED_MS);
      write(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { client, response, [Symbol.dispose]: () => void server.close() };
  }

  test('is ended', async () => {
    using served = await respondTo((response) => {
      for (let n = 0; n < 40; n += 1) {
        response.write(CHUNK);
      }
    });
    served.client.pause();
    await once(served.response, 'close');
    expect(served.response.writableFinished).toBe(false);
    served.client.destroy();
  });

  test('goes on if it only reads slowly', async () => {
    using served = await respondTo((response) => {
      response.end(Buffer.concat(Array.from({ length: 80 }, () => CHUNK)));
    });
    const { client, response } = served;
    const closed = once(response, 'close');
    let unread = PAUSE_EVERY_BYTES;
    client.on('data', (piece: Buffer) => {
      unread -= piece.length;
      if (unread < 0) {
        unread = PAUSE_EVERY_BYTES;
        client.pause();
        setTimeout(() => client.resume(), STALLED_MS / 4);
      }
    });
    await closed;
    expect(response.writableFinished).toBe(true);
    client.destroy();
  });
});
