import { openGate } from '#lib/gate.ts';
import { AGENCY } from '#lib/id.ts';
import { openShares } from '#lib/shares.ts';

/** How long a caller waits for a connection. */
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Shares the connections of a pool among sub-accounts: each leaves as many free as its reads use. One with a
 * million contacts and slow searches otherwise takes them all, and the others get 503.
 */
export interface ConnectionGate {
  /**
   * Resolves with what to call after the connection was released. Rejects if the sub-account uses its share for
   * too long. The caller must not have a place already.
   */
  enter(subAccountId: string): Promise<() => void>;
}

export function openConnectionGate(connections: number): ConnectionGate {
  const gate = openGate({ shares: openShares<string>(connections) });
  return {
    async enter(subAccountId) {
      // What the installation reads, such as keys, is short.
      if (subAccountId === AGENCY) {
        return () => undefined;
      }
      return gate.enter(subAccountId, () => AbortSignal.timeout(CONNECT_TIMEOUT_MS)).catch(tooSlow);
    },
  };
}

/** For callers the same as a statement timeout: earlier reads of the sub-account took too long. */
const tooSlow = (cause: unknown): never => {
  const message = `the reads of the sub-account used its share of connections for ${CONNECT_TIMEOUT_MS} ms`;
  throw Object.assign(new Error(message, { cause }), { code: '57014' });
};
