import type { ImapFlow } from 'imapflow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countBytes, discount, throttle } from '../../../src/conversations/mailbox/throttle.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A connection on which the server has sent so many bytes. */
function connection(signal = new AbortController().signal) {
  const stats = { sent: 0, received: 0 };
  const client = { stats: () => ({ ...stats }) } as unknown as ImapFlow;
  countBytes(client, signal);
  return { client, receives: (bytes: number) => (stats.received += bytes) };
}

/** The milliseconds that a read waits, if they are less than a minute. */
async function waitOf(client: ImapFlow): Promise<number | undefined> {
  const from = Date.now();
  let wait: number | undefined;
  void throttle(client).then(() => (wait = Date.now() - from));
  await vi.advanceTimersByTimeAsync(60_000);
  return wait;
}

test('a server that sent 1 MB is read again after 10 seconds, once', async () => {
  const { client, receives } = connection();
  receives(1_000_000);
  expect(await waitOf(client)).toBe(10_000);
  expect(await waitOf(client)).toBe(0);
});

test('the content of mails and short responses cost nothing', async () => {
  const { client, receives } = connection();
  receives(1_000_000);
  discount(client, 1_000_000);
  receives(1_000);
  expect(await waitOf(client)).toBe(0);
});

test('a stop ends the wait', async () => {
  const stopping = new AbortController();
  const { client, receives } = connection(stopping.signal);
  receives(1_000_000);
  stopping.abort();
  expect(await waitOf(client)).toBe(0);
});
