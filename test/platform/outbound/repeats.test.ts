import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outbound, OutboundRequest } from '#core/outbound.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { answered, at, connectionsAreFree, requestTo } from './support.ts';

/** A peer that reads each request completely, answers the first and resets the connection of the others. */
interface Peer {
  readonly url: string;
  readonly received: string[];
  readonly connections: () => number;
  /** Requests that are answered, by number from 1; the others are reset. */
  answers: (number: number) => boolean;
}

let server: Server;
let peer: Peer;
let outbound: Outbound;
const sockets = new Set<Socket>();

beforeEach(async () => {
  const received: string[] = [];
  let connections = 0;
  server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      received.push(bytes.toString().split('\r\n\r\n')[1] ?? '');
      if (peer.answers(received.length)) {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      } else {
        socket.resetAndDestroy();
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  peer = {
    url: `http://127.0.0.1:${port}/`,
    received,
    connections: () => connections,
    answers: (number) => number === 1,
  };
  outbound = openOutbound({ allow: ['127.0.0.0/8'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await outbound.close();
  sockets.forEach((socket) => socket.destroy());
  server.close();
});

const send = (body: string, more: Partial<OutboundRequest> = {}) =>
  outbound.send(requestTo(peer.url, { body, ...more }));

describe('a request that a peer received before it reset a kept connection', () => {
  test('is sent once more where it may be repeated', async () => {
    peer.answers = (number) => number !== 2;
    answered(await send('one', { isRepeatable: true }));
    await connectionsAreFree();
    answered(await send('two', { isRepeatable: true }));
    expect(peer.received).toEqual(['one', 'two', 'two']);
  });

  test('is never sent again where it may not be repeated', async () => {
    answered(await send('one', { isRepeatable: true }));
    await connectionsAreFree();
    expect(await send('two', { isRepeatable: false })).toMatchObject({ wasSent: true });
    expect(peer.received).toEqual(['one', 'two']);
  });
});

describe('a request that may not be repeated', () => {
  test('never uses a kept connection, which may be closing', async () => {
    peer.answers = () => true;
    answered(await send('one', { isRepeatable: true }));
    await connectionsAreFree();
    answered(await send('two', { isRepeatable: false }));
    answered(await send('three', { isRepeatable: false }));
    expect(peer.connections()).toBe(3);
  });
});

test('a connection that comes too late for its request serves no other that may not be repeated', async () => {
  peer.answers = () => true;
  const found = Promise.withResolvers<ReturnType<typeof at>>();
  const late = openOutbound({ allow: ['127.0.0.0/8'], lookup: () => found.promise });
  const { port } = new URL(peer.url);
  const request = requestTo(`http://hooks.example.com:${port}/`, { isRepeatable: false });
  expect(await late.send({ ...request, timeoutMs: 20 })).toMatchObject({ wasSent: false });
  const connected = once(server, 'connection');
  found.resolve(at('127.0.0.1'));
  await connected;
  await connectionsAreFree();
  answered(await late.send(request));
  expect(peer.connections()).toBe(2);
  await late.close();
});

describe('a failure says whether the request may have arrived', () => {
  test('no: nothing listens there', async () => {
    server.close();
    expect(await send('one')).toEqual({ failure: 'connection refused', wasSent: false });
  });

  test('no: the address is refused', async () => {
    const refused = openOutbound({ allow: [] });
    expect(await refused.send(requestTo(peer.url))).toMatchObject({ wasSent: false });
    await refused.close();
  });

  test('yes: the peer read it and did not answer in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const read = Promise.withResolvers<void>();
    server.removeAllListeners('connection');
    server.on('connection', (socket) => socket.once('data', () => read.resolve()));
    const sending = send('one', { timeoutMs: 200 });
    await read.promise;
    vi.advanceTimersByTime(200);
    expect(await sending).toEqual({ failure: 'no response within 200 ms', wasSent: true });
  });

  test('yes: the caller gave up after the peer had read it', async () => {
    const giveUp = new AbortController();
    peer.answers = () => {
      giveUp.abort();
      return true;
    };
    server.removeAllListeners('connection');
    server.on('connection', (socket) => socket.once('data', () => giveUp.abort()));
    const outcome = await send('one', { signal: giveUp.signal });
    expect(outcome).toEqual({ failure: 'aborted', wasSent: true });
  });
});
