import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { FastResponse } from 'srvx';
import { afterEach, describe, expect, test } from 'vitest';
import { listen, type Listener } from '#platform/process/listen.ts';
import { limitPipelining, PIPELINED_MAX } from '#platform/process/pipelining.ts';

let listener: Listener | undefined;
afterEach(() => listener?.close(0));

let handled: number;
async function serve(): Promise<void> {
  handled = 0;
  const answer = async () => {
    handled += 1;
    return new FastResponse('here');
  };
  listener = await listen(answer, { host: '127.0.0.1', port: 0 });
}

const requests = (count: number) => 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(count);
const LAST = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

async function send(content: string, port = listener?.port ?? 0): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // A connection that the server destroys may report a reset.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(content);
  return socket;
}

const count = (responses: string) => responses.split('HTTP/1.1 200').length - 1;

test('what was read of such a connection is not parsed further', async () => {
  let parsed = 0;
  const limited = limitPipelining(() => {});
  const server = createServer((request, response) => {
    parsed += 1;
    limited(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = await send(requests(1_000), (server.address() as AddressInfo).port);
  await once(socket, 'close');
  server.close();
  expect(parsed).toBe(PIPELINED_MAX + 1);
});

describe('requests that are sent before earlier ones are answered', () => {
  test(`are answered in order, up to ${PIPELINED_MAX} of a connection`, async () => {
    await serve();
    const socket = await send(requests(PIPELINED_MAX - 1) + LAST);
    expect(count(await text(socket))).toBe(PIPELINED_MAX);
    expect(handled).toBe(PIPELINED_MAX);
  });

  test('close the connection beyond that; nothing more of it is handled', async () => {
    await serve();
    const socket = await send(requests(1_000));
    await once(socket, 'close');
    expect(handled).toBe(PIPELINED_MAX);
  });

  test('do not count once they are answered', async () => {
    await serve();
    const socket = await send('');
    for (let sent = 0; sent < 3 * PIPELINED_MAX; sent += 1) {
      socket.write(requests(1));
      await once(socket, 'data');
    }
    socket.write(LAST);
    expect(count(await text(socket))).toBe(1);
    expect(handled).toBe(3 * PIPELINED_MAX + 1);
  });
});
