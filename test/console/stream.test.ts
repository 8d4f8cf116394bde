import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Its types are those of browsers, which tests do not have. */
const STREAM: string = '../../web/console/api/stream.ts';

/** The stream of the browser; the test plays the server. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static latest: Source | undefined;
  readyState = 1;
  constructor() {
    super();
    Source.latest = this;
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

beforeEach(() => {
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('addEventListener', () => undefined);
});
afterEach(() => void vi.unstubAllGlobals());

test('what a page shows is fetched again once the stream has its place, and not before', async () => {
  const { followStream } = await import(STREAM);
  const seen: string[] = [];
  const stop = followStream(crypto.randomUUID(), {
    onChange: ({ id }: { readonly id: string }) => seen.push(id),
    onGap: () => seen.push('gap'),
    onConnection: (state: string) => seen.push(state),
  });
  const source = await vi.waitUntil(() => Source.latest);
  const send = (event: string) => source.dispatchEvent(new Event(event));
  send('open');
  expect(seen).toEqual(['open']);
  send('ready');
  expect(seen).toEqual(['open', 'gap']);
  source.dispatchEvent(new MessageEvent('message', { data: '{"topic":"task","id":"t1"}' }));
  send('ready');
  expect(seen).toEqual(['open', 'gap', 't1']);
  stop();
});
