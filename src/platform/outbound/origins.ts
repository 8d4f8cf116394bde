import { type Gate, openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { closePool, type Connect, type ConnectionUser, newPool, type Pool } from './connections.ts';
import type { Target } from './guard.ts';

/** Keeps one receiver from using every port. */
const REQUESTS_PER_ORIGIN = 128;

interface Origin<R> {
  readonly pool: Pool<R>;
  /**
   * The places for requests in progress. Each sub-account leaves as many free as it takes: slow receivers
   * of one would otherwise delay the requests of all others to the same origin.
   */
  readonly gate: Gate<string>;
}

/** The origins that have connections. */
export interface Origins<R> {
  readonly connect: Connect;
  readonly user: ConnectionUser<R>;
  readonly known: Map<string, Origin<R>>;
}

export const newOrigins = <R>(connect: Connect, user: ConnectionUser<R>): Origins<R> => ({
  connect,
  user,
  known: new Map(),
});

export function originOf<R>({ connect, user, known }: Origins<R>, target: Target): Origin<R> {
  const found = known.get(target.origin);
  if (found) {
    return found;
  }
  const onUnused = () => {
    // A request that had to wait may have outlived the entry, and made a connection of its own.
    if (known.get(target.origin) === origin) {
      known.delete(target.origin);
    }
  };
  const origin: Origin<R> = {
    pool: newPool({ connect, target, user, onUnused }),
    gate: openGate({ shares: openShares(REQUESTS_PER_ORIGIN) }),
  };
  known.set(target.origin, origin);
  return origin;
}

export function closeOrigins<R>({ known }: Origins<R>): void {
  known.forEach(({ pool }) => closePool(pool));
}
