import type { ImapFlow } from 'imapflow';
import { sleep } from '#lib/abort.ts';

/** Fewer bytes are counted with the next ones: each wait costs a timer. */
const BATCH_MIN_BYTES = 4 * 1024;
/** The library needs 3 ms for 1 KiB of words: at this rate, a server uses a quarter of the process. */
const BYTES_PER_MS = 100;
/** More than the responses to two commands, contents of mails aside. The library reads that much at once. */
const FLOOD_BYTES = 128 * 1024;
const LOOK_MS = 100;

interface Traffic {
  /** Bytes from the server for which nothing waits any more, or that were the content of mails. */
  done: number;
  /** Bytes of a mail that the server was told to send. */
  expected: number;
  readonly signal: AbortSignal;
}

const traffic = new WeakMap<ImapFlow, Traffic>();

/** Begins to count what a server sends, until the signal aborts every wait. */
export const countBytes = (client: ImapFlow, signal: AbortSignal): void =>
  void traffic.set(client, { done: 0, expected: 0, signal });

/** Until `discount`, the server may send so many bytes of a mail. */
export function expectContent(client: ImapFlow, bytes: number): void {
  const counted = traffic.get(client);
  if (counted) {
    counted.expected = bytes;
  }
}

/** Leaves the content of mails out of the count: the library passes it on as it is. */
export function discount(client: ImapFlow, bytes: number): void {
  const counted = traffic.get(client);
  if (counted) {
    counted.expected = 0;
    counted.done += bytes;
  }
}

/**
 * Closes the connection to a server that sends much more than its commands need. The library reads it all
 * at once, and keeps it until the command ends, which the server decides.
 */
export function closeWhenFlooded(client: ImapFlow): void {
  const looking = setInterval(() => {
    const { done, expected } = traffic.get(client) ?? { done: 0, expected: 0 };
    if (client.stats().received - done > FLOOD_BYTES + expected) {
      client.close();
    }
  }, LOOK_MS);
  client.on('close', () => clearInterval(looking));
}

/** Waits in proportion to what a server sent, so that it cannot keep the process busy. */
export async function throttle(client: ImapFlow): Promise<void> {
  const counted = traffic.get(client);
  const { received } = client.stats();
  const fresh = counted ? received - counted.done : 0;
  if (counted && fresh >= BATCH_MIN_BYTES) {
    counted.done = received;
    await sleep(fresh / BYTES_PER_MS, counted.signal);
  }
}
