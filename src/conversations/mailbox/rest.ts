import type { ImapFlow } from 'imapflow';
import { sleep } from '#lib/abort.ts';

/** Words of a server that are paid for together: each wait costs a timer. */
const PAID_MIN_BYTES = 4 * 1024;
/** The library needs 3 ms for 1 KiB of words: at this rate, a server uses a quarter of the process. */
const BYTES_PER_MS = 100;

interface Account {
  /** Bytes that the server sent and that were waited for, or that were the content of mails. */
  settled: number;
  readonly signal: AbortSignal;
}

const accounts = new WeakMap<ImapFlow, Account>();

/** Begins to count what a server sends, until the signal aborts every wait. */
export const countBytes = (client: ImapFlow, signal: AbortSignal): void =>
  void accounts.set(client, { settled: 0, signal });

/** The content of mails costs nothing: the library passes it on as it is. */
export function excuse(client: ImapFlow, bytes: number): void {
  const account = accounts.get(client);
  if (account) {
    account.settled += bytes;
  }
}

/** Waits in proportion to what a server said, so that it cannot keep the process busy. */
export async function rest(client: ImapFlow): Promise<void> {
  const account = accounts.get(client);
  const { received } = client.stats();
  const unpaid = account ? received - account.settled : 0;
  if (account && unpaid >= PAID_MIN_BYTES) {
    account.settled = received;
    await sleep(unpaid / BYTES_PER_MS, account.signal);
  }
}
