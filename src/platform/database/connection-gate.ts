import { openGate } from '#lib/gate.ts';
import { AGENCY } from '#lib/id.ts';
import { openShares, type Shares } from '#lib/shares.ts';

/** How long a caller waits for a connection, and a read for the reads of its sub-account. */
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Shares the connections of a pool among sub-accounts: each leaves some free for each that it uses. One with
 * a million contacts and slow searches otherwise takes them all, and the others get 503.
 */
export interface ConnectionGate {
  /**
   * Resolves with what to call after the connection was released. Rejects if the sub-account uses its share for
   * too long. The caller must not have a place already.
   */
  enter(subAccountId: string): Promise<() => void>;
  /** The same without a promise if a place is free. */
  enterNow(subAccountId: string): (() => void) | Promise<() => void>;
}

/** Reads leave as many connections free as they use. */
export const openReadGate = (connections: number): ConnectionGate =>
  openConnectionGate('reads', openShares(connections));

/**
 * Transactions leave as many free as they use, too, and have places of their own: they may wait for a lock
 * while the reads of the sub-account go on. A read inside of one uses its connection, so no transaction waits
 * for a place while it has one. `waitMaxMs` is how long a statement may wait for a lock.
 */
export const openTransactionGate = (connections: number, waitMaxMs: number): ConnectionGate =>
  openConnectionGate('transactions', openShares(connections), waitMaxMs);

/** `of` names in errors what takes the connections. */
export function openConnectionGate(
  of: string,
  shares: Shares<string>,
  waitMaxMs = CONNECT_TIMEOUT_MS,
): ConnectionGate {
  const gate = openGate({ shares });
  const enterNow = (subAccountId: string) => {
    // What the installation reads and writes, such as keys, is short.
    if (subAccountId === AGENCY) {
      return () => undefined;
    }
    const place = gate.enterNow(subAccountId, () => AbortSignal.timeout(waitMaxMs));
    return typeof place === 'function'
      ? place
      : place.catch((cause: unknown) => tooSlow(of, waitMaxMs, cause));
  };
  return { enterNow, enter: async (subAccountId) => enterNow(subAccountId) };
}

/** For callers the same as a statement timeout: earlier calls of the sub-account took too long. */
const tooSlow = (of: string, waitMaxMs: number, cause: unknown): never => {
  const message = `the ${of} of the sub-account used its share of connections for ${waitMaxMs} ms`;
  throw Object.assign(new Error(message, { cause }), { code: '57014' });
};
