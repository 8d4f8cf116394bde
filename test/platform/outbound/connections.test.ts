import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outbound } from '#core/outbound.ts';
import type { Lookup } from '#platform/outbound/lookup.ts';
import { openOutbound, type OutboundOptions } from '#platform/outbound/client.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { answered, at, connectionsAreFree, requestTo } from './support.ts';

let sink: Sink;
let opened: Outbound[];

beforeEach(async () => {
  sink = await startSink();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await sink.close();
});

function open(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = openOutbound({ allow: ['127.0.0.0/8'], ...options });
  opened.push(outbound);
  return outbound;
}

const local = (): string => `http://127.0.0.1:${sink.port}/`;
const named = (name = 'hooks.example.com'): string => `http://${name}:${sink.port}/`;

/** Answers one list after the other, the last one forever. */
function lookups(...lists: string[][]): Lookup & { asked: string[] } {
  const asked: string[] = [];
  const lookup = async (hostname: string) => {
    asked.push(hostname);
    return at(...(lists[Math.min(asked.length, lists.length) - 1] ?? []));
  };
  return Object.assign(lookup, { asked });
}

describe('nothing is connected to', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['[::127.0.0.1]', '::7f00:1'],
  ])('where the host is a private address: %s', async (host, address) => {
    const failure = `the address ${address} is not public`;
    const url = `http://${host}:${sink.port}/`;
    expect(await open({ allow: [] }).send(requestTo(url))).toMatchObject({
      failure,
      isPrivate: true,
    });
    expect(sink.connections).toBe(0);
  });

  test('where a name changed its mind after it was checked', async () => {
    const outbound = open({ allow: [], lookup: lookups(['93.184.215.14'], ['127.0.0.1']) });
    expect(await outbound.refusal(`https://rebind.example.com:${sink.port}/`)).toBeUndefined();
    expect(await outbound.send(requestTo(named('rebind.example.com')))).toMatchObject({
      failure: 'the name rebind.example.com resolves to an address that is not public',
    });
    expect(sink.connections).toBe(0);
  });

  test.each([
    ['localhost', ['127.0.0.1']],
    ['mixed.example.com', ['93.184.215.14', '127.0.0.1']],
    ['mapped.example.com', ['::ffff:127.0.0.1']],
  ])('where one address of a name is private: %s', async (name, addresses) => {
    const outbound = open({ allow: [], lookup: lookups(addresses) });
    expect(await outbound.send(requestTo(named(name)))).toMatchObject({
      failure: `the name ${name} resolves to an address that is not public`,
      isPrivate: true,
    });
    expect(sink.connections).toBe(0);
  });

  test.each([
    ['public', ['93.184.215.14']],
    ['in no allowed network', ['127.0.0.1', '93.184.215.14']],
  ])('by http:// where an address of the name is %s', async (_what, addresses) => {
    const outbound = open({ lookup: lookups(addresses) });
    expect(await outbound.send(requestTo(named()))).toMatchObject({
      failure:
        'http:// is only allowed if every address of the host is in FRONTDESK_OUTBOUND_ALLOW; use https:// for hooks.example.com',
      wasSent: false,
    });
    expect(sink.connections).toBe(0);
  });

  test('by http:// where the address is public', async () => {
    expect(await open().send(requestTo('http://93.184.215.14/'))).toMatchObject({
      failure: expect.stringMatching(/^http:\/\/ is only allowed .* for 93\.184\.215\.14$/),
      wasSent: false,
    });
  });

  test('by http:// where a name has left the allowed networks since it was checked', async () => {
    const outbound = open({ lookup: lookups(['127.0.0.1'], ['93.184.215.14']) });
    expect(await outbound.refusal(named())).toBeUndefined();
    expect(await outbound.send(requestTo(named()))).toMatchObject({
      failure: expect.stringContaining('http:// is only allowed'),
    });
    expect(sink.connections).toBe(0);
  });

  test.each<[string, Lookup]>([
    ['fails', () => Promise.reject(new Error('getaddrinfo EAI_AGAIN example.invalid'))],
    ['finds nothing', async () => []],
  ])('if the name lookup %s', async (_how, lookup) => {
    expect(await open({ lookup }).send(requestTo('https://example.invalid/'))).toMatchObject({
      failure: 'the name example.invalid does not resolve',
    });
  });

  test('if the port is closed', async () => {
    const url = local();
    await sink.close();
    expect(await open().send(requestTo(url))).toMatchObject({ failure: 'connection refused' });
    sink = await startSink();
  });
});

describe('a connection', () => {
  test('goes to the allowed ones of a name’s addresses, looked up once', async () => {
    const lookup = lookups(['::1', '127.0.0.1'], ['10.0.0.1']);
    const outbound = open({ lookup });
    const request = requestTo(named(), { isPlainPublic: true });
    answered(await outbound.send(request));
    await connectionsAreFree();
    answered(await outbound.send(request));
    expect(lookup.asked).toEqual(['hooks.example.com']);
    expect(sink.requests[0]?.headers.host).toBe(`hooks.example.com:${sink.port}`);
  });

  test('tries the next address if one does not respond', async () => {
    const outbound = open({ lookup: lookups(['127.0.0.2', '127.0.0.1']) });
    expect(answered(await outbound.send(requestTo(named()))).status).toBe(200);
  });

  test('finds localhost as the system does', async () => {
    const outbound = open({ allow: ['127.0.0.0/8', '::1/128'] });
    expect(answered(await outbound.send(requestTo(named('localhost')))).status).toBe(200);
  });

  test('is kept for the requests that follow', async () => {
    const outbound = open();
    for (let n = 0; n < 5; n += 1) {
      answered(await outbound.send(requestTo(local())));
      await connectionsAreFree();
    }
    expect(sink.requests).toHaveLength(5);
    expect(sink.connections).toBe(1);
  });

  test('is made for each of several requests at a time', async () => {
    const waiting: (() => void)[] = [];
    sink.answer = (_request, response) => void waiting.push(() => response.end());
    const outbound = open();
    const asked = Array.from({ length: 24 }, () => outbound.send(requestTo(local())));
    await sink.next(24);
    waiting.forEach((answer) => answer());
    expect((await Promise.all(asked)).map((one) => answered(one).status)).toEqual(
      Array.from({ length: 24 }, () => 200),
    );
    expect(sink.connections).toBe(24);
  });

  test('has a time of its own, TLS and looking the name up included', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const never = Promise.withResolvers<never>();
    const outbound = open({ connectTimeoutMs: 100, lookup: () => never.promise });
    const failure = 'could not connect within 100 ms';
    expect(
      await Promise.all([
        outbound.send(requestTo(`https://127.0.0.1:${port}/`)),
        outbound.send(requestTo('https://slow.example.com/')),
      ]),
    ).toMatchObject([{ failure }, { failure }]);
    sockets.forEach((socket) => socket.destroy());
    mute.close();
  });

  test('that comes too late carries no request that was given up', async () => {
    const found = Promise.withResolvers<ReturnType<typeof at>>();
    const outbound = open({ lookup: () => found.promise });
    expect(await outbound.send(requestTo(named(), { timeoutMs: 20 }))).toMatchObject({
      failure: 'no response within 20 ms',
    });
    const asked = outbound.send(requestTo(named(), { body: 'second' }));
    found.resolve(at('127.0.0.1'));
    answered(await asked);
    answered(await outbound.send(requestTo(named(), { body: 'third' })));
    expect(sink.requests.map(({ body }) => body.toString())).toEqual(['second', 'third']);
  });
});

describe('a kept connection that the other side was just closing', () => {
  /** Drops the connection under the requests of these numbers, from 1. */
  const drop = (numbers: number[], begin = '') => {
    sink.answer = ({ socket }, response) => {
      if (numbers.includes(sink.requests.length)) {
        socket.write(begin);
        socket.end();
      } else {
        response.end('ok');
      }
    };
  };
  const failure = 'the connection was closed before the response was complete';

  test('has its request sent once more, on a new one', async () => {
    drop([2]);
    const outbound = open();
    answered(await outbound.send(requestTo(local())));
    await connectionsAreFree();
    answered(await outbound.send(requestTo(local(), { body: 'again' })));
    expect(sink.requests.map(({ body }) => body.toString())).toEqual(['{"a":1}', 'again', 'again']);
    expect(sink.connections).toBe(2);
    answered(await outbound.send(requestTo(local())));
    expect(sink.requests.at(-1)?.headers.connection).toBe('keep-alive');
  });

  test('has its request sent on a new one, where it was reset before', async () => {
    const outbound = open();
    const sockets: Socket[] = [];
    sink.answer = ({ socket }, response) => {
      sockets.push(socket);
      response.end('ok');
    };
    answered(await outbound.send(requestTo(local())));
    await connectionsAreFree();
    sockets.forEach((socket) => socket.resetAndDestroy());
    answered(await outbound.send(requestTo(local())));
    expect(sink.requests).toHaveLength(2);
    expect(sink.connections).toBe(2);
  });

  test('not a third time', async () => {
    drop([2, 3]);
    const outbound = open();
    answered(await outbound.send(requestTo(local())));
    await connectionsAreFree();
    expect(await outbound.send(requestTo(local()))).toMatchObject({ failure });
    expect(sink.requests).toHaveLength(3);
  });

  test('not once an answer has begun', async () => {
    drop([2], 'HTTP/1.1 2');
    const outbound = open();
    answered(await outbound.send(requestTo(local())));
    await connectionsAreFree();
    expect(await outbound.send(requestTo(local()))).toMatchObject({ failure });
    expect(sink.requests).toHaveLength(2);
  });

  test('not where the connection was new', async () => {
    drop([1]);
    expect(await open().send(requestTo(local()))).toMatchObject({ failure });
    expect(sink.requests).toHaveLength(1);
  });
});
