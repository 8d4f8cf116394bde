import { once } from 'node:events';
import { connect } from 'node:net';
import { FastResponse } from 'srvx';
import { vi } from 'vitest';
import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import { openStreams } from '#platform/http/events.ts';
import { listen, type Listener } from '#platform/process/listen.ts';
import { follow } from '../../support/event-source.ts';
import { describe, expect, test as base } from '../../support/service.ts';

const PATIENCE = { timeout: 60_000, interval: 5 };
const HEARTBEAT_MS = 100;
/** Longer than a test may take: a test that waits for it fails. */
const GRACE_MS = 120_000;

const eventOf = (n: number, size = 0): StreamEvent => ({
  id: String(n),
  event: 'message',
  data: JSON.stringify({ n, filler: 'x'.repeat(size) }),
});

/** A source of events, and how far it was read. */
interface Source {
  yielded: number;
  ended: number;
  readonly follow: (signal: AbortSignal) => AsyncIterable<StreamEvent>;
}

/** Yields this many events, then waits until it is ended. */
function sourceOf(events: number, size = 0): Source {
  const source: Source = {
    yielded: 0,
    ended: 0,
    async *follow(signal) {
      try {
        while (source.yielded < events && !signal.aborted) {
          source.yielded += 1;
          yield eventOf(source.yielded, size);
        }
        if (!signal.aborted) {
          await once(signal, 'abort');
        }
      } finally {
        source.ended += 1;
      }
    },
  };
  return source;
}

interface Served {
  readonly streams: ReturnType<typeof openStreams>;
  readonly listener: Listener;
  serve(source: Source): void;
}

const test = base.extend<{ served: Served }>({
  served: async ({}, use) => {
    const streams = openStreams(HEARTBEAT_MS);
    let source = sourceOf(0);
    const headers = { 'content-type': 'text/event-stream' };
    const listener = await listen(
      () => new FastResponse(streams.open('visitor', source.follow), { headers }),
      { host: '127.0.0.1', port: 0 },
    );
    await use({ streams, listener, serve: (one) => void (source = one) });
    await listener.close(0);
  },
});

describe('a stream', () => {
  test('sends the retry interval, then each event, then heartbeats', async ({ served }) => {
    served.serve(sourceOf(2));
    const reader = await follow(served.listener.url);
    await reader.until(2);
    expect(reader.events).toMatchObject([
      { id: '1', event: 'message', data: { n: 1 } },
      { id: '2', event: 'message', data: { n: 2 } },
    ]);
    expect(reader.text()).toMatch(/^retry: 2000\n\nid: 1\nevent: message\ndata: \{.*\}\n\n/);
    await vi.waitFor(() => expect(reader.text()).toMatch(/(?::\n\n){3}$/), PATIENCE);
    reader.leave();
  });

  test('ends at once when the process stops, so that the server can close', async ({
    served: { streams, listener, serve },
  }) => {
    const source = sourceOf(1);
    serve(source);
    const readers = await Promise.all([1, 2, 3].map(() => follow(listener.url)));
    // One of them gets the event, whichever request arrives first.
    await Promise.race(readers.map((reader) => reader.until(1)));
    streams.close();
    await listener.close(GRACE_MS);
    expect(await Promise.all(readers.map(({ ended }) => ended))).toEqual(Array(3).fill('closed'));
    expect(source.ended).toBe(3);
  });

  test('that is opened while the process stops ends at once', async ({
    served: { streams, listener },
  }) => {
    streams.close();
    expect(await (await follow(listener.url)).ended).toBe('closed');
  });

  test('ends its source when its reader leaves', async ({ served: { listener, serve } }) => {
    const source = sourceOf(1);
    serve(source);
    const reader = await follow(listener.url);
    await reader.until(1);
    reader.leave();
    await vi.waitFor(() => expect(source.ended).toBe(1), PATIENCE);
  });

  test('ends when its source fails', async ({ served: { listener, serve } }) => {
    const broken: Source = {
      yielded: 0,
      ended: 0,
      async *follow() {
        yield eventOf(1);
        throw new Error('the database is gone');
      },
    };
    serve(broken);
    const reader = await follow(listener.url);
    expect(await reader.ended).toBe('closed');
    expect(reader.events).toHaveLength(1);
  });
});

describe('a reader that does not read', () => {
  const stuck = async ({ url }: Listener) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    return socket;
  };

  test('gets no more events than the connection buffers, and is dropped', async ({
    served: { listener, serve },
  }) => {
    const source = sourceOf(100_000, 64 * 1024);
    serve(source);
    const socket = await stuck(listener);
    await vi.waitFor(() => expect(source.ended).toBe(1), PATIENCE);
    // Of 6 GB, only what the buffers of the connection hold.
    expect(source.yielded).toBeLessThan(1_000);
    socket.destroy();
  });

  test('does not delay the end of the process', async ({
    served: { streams, listener, serve },
  }) => {
    const source = sourceOf(100_000, 64 * 1024);
    serve(source);
    const socket = await stuck(listener);
    await vi.waitFor(() => expect(source.yielded).toBeGreaterThan(0), PATIENCE);
    streams.close();
    await listener.close(GRACE_MS);
    expect(source.ended).toBe(1);
    socket.destroy();
  });

  test('gets every event if it is only slow', async ({ served: { listener, serve } }) => {
    serve(sourceOf(300, 16 * 1024));
    const reader = await follow(listener.url);
    await reader.until(300);
    expect(reader.events.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 300 }, (_, n) => n + 1),
    );
    reader.leave();
  });
});

describe('the limit of streams', () => {
  test('is fifty per visitor, and a reader that leaves makes room', async () => {
    const streams = openStreams();
    const open = (visitor: string) => streams.open(visitor, sourceOf(0).follow);
    const taken = Array.from({ length: 50 }, () => open('ada'));
    expect(() => open('ada')).toThrow('too many event streams');
    open('grace');
    await taken[7]?.cancel();
    open('ada');
    expect(() => open('ada')).toThrow('too many event streams');
    streams.close();
    expect(() => open('ada')).not.toThrow();
  });
});
