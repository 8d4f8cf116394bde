import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Fault } from '#core/fault.ts';

/**
 * Enough for two mails of 25 MiB at once. Together with the read-ahead of a thousand refused
 * connections, unverified bodies stay below 128 MiB, and cost a process less than 200 MB.
 */
const BUDGET_BYTES = 56 * 1024 * 1024;
/** How much of a body Node receives before it is read. */
const READ_AHEAD_BYTES = 64 * 1024;
/**
 * What the connection of a large body counts besides the bytes received: read-ahead, objects, and
 * buffers that wait for the garbage collector. Few mails are thereby received at once, instead of a
 * little of each of a thousand (with 128 KiB for each, those cost 220 MB instead of 160 MB).
 */
const CONNECTION_MIN_BYTES = 128 * 1024;
const CONNECTION_MAX_BYTES = 1024 * 1024;
const RETRY_AFTER_SECONDS = '10';
/** How much of a refused body is discarded so that its connection can be reused. */
const DISCARDED_MAX_BYTES = 1024 * 1024;
/** How long the sender of a larger body has to read the response. */
const LINGER_MS = 500;
/** Bodies of one holder with sizes within this factor do not evict each other: some get through. */
const FACTOR = 2;

/** The share of the budget that one body uses. */
export interface BodyShare {
  readonly holder: string;
  /** Throws SERVICE_UNAVAILABLE if the budget is used up and this body is the one to refuse. */
  reserve(bytes: number): void;
  /** Sets the callback that refuses this body in favor of another; undefined once it is complete. */
  evictBy(refuse: ((fault: Fault) => void) | undefined): void;
  /** Returns the share to the budget; safe to call twice. */
  release(): void;
}

/**
 * Limits the memory of incomplete bodies, and of those whose sender is not verified. Once it is used up, the
 * largest incomplete body of the holder that uses most is refused: one holder cannot lock others out
 * with large bodies that never end.
 */
export interface BodyBudget {
  /**
   * Opens a share; counts the connection of a large body at once. Throws SERVICE_UNAVAILABLE.
   * `holder` is the sub-account of a verified sender, and the network of any other.
   */
  open(request: IncomingMessage, holder: string): BodyShare;
}

interface Share {
  bytes: number;
  refuse: ((fault: Fault) => void) | undefined;
}

interface Holder {
  bytes: number;
  readonly shares: Set<Share>;
}

export function openBodyBudget(limitBytes = BUDGET_BYTES): BodyBudget {
  const holders = new Map<string, Holder>();
  let used = 0;
  const release = (name: string, share: Share) => {
    const holder = holders.get(name);
    if (holder?.shares.delete(share)) {
      used -= share.bytes;
      holder.bytes -= share.bytes;
      share.bytes = 0;
      if (holder.shares.size === 0) {
        holders.delete(name);
      }
    }
  };
  const makeRoom = (own: HeldShare) => {
    const isOver = () => used > limitBytes;
    while (isOver()) {
      const victim = victimAmong(holders, own);
      release(victim.name, victim.share);
      if (victim.share === own.share) {
        throw tooManyBodies();
      }
      victim.share.refuse?.(tooManyBodies());
    }
  };
  return {
    open(request, name) {
      const share: Share = { bytes: 0, refuse: undefined };
      const reserve = (bytes: number) => {
        const holder = holders.get(name) ?? { bytes: 0, shares: new Set() };
        holders.set(name, holder);
        holder.shares.add(share);
        holder.bytes += bytes;
        share.bytes += bytes;
        used += bytes;
        makeRoom({ name, share });
      };
      if (isLarge(request)) {
        request.once('close', () => release(name, share));
        reserve(connectionBytes(request));
      }
      return {
        holder: name,
        reserve,
        evictBy(refuse) {
          share.refuse = refuse;
        },
        release: () => release(name, share),
      };
    },
  };
}

interface HeldShare {
  readonly name: string;
  readonly share: Share;
}

/**
 * Returns the largest refusable share of the holder that uses most. If that holder is `own`'s and
 * none of its shares is much larger, returns `own`.
 */
function victimAmong(holders: ReadonlyMap<string, Holder>, own: HeldShare): HeldShare {
  let victim = { ...own, share: largestIn(holders.get(own.name), own.share) ?? own.share };
  let most = holders.get(own.name)?.bytes ?? 0;
  for (const [name, holder] of holders) {
    const share = holder.bytes > most ? largestIn(holder) : undefined;
    if (share) {
      victim = { name, share };
      most = holder.bytes;
    }
  }
  return victim;
}

function largestIn(holder: Holder | undefined, own?: Share): Share | undefined {
  let largest: Share | undefined;
  let most = own ? own.bytes * FACTOR : 0;
  for (const share of holder?.shares ?? []) {
    if (share.refuse && share.bytes > most) {
      largest = share;
      most = share.bytes;
    }
  }
  return largest;
}

const tooManyBodies = (): Fault =>
  new Fault(
    'SERVICE_UNAVAILABLE',
    'too many bodies are being received; try again later',
    undefined,
    { 'retry-after': RETRY_AFTER_SECONDS },
  );

const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || lengthOf(headers) > READ_AHEAD_BYTES;

/** The announced length within bounds; a chunked body announces none. */
function connectionBytes({ headers }: IncomingMessage): number {
  const length = headers['transfer-encoding'] === undefined ? lengthOf(headers) : Infinity;
  return Math.min(Math.max(length, CONNECTION_MIN_BYTES), CONNECTION_MAX_BYTES);
}

const lengthOf = (headers: IncomingHttpHeaders): number => Number(headers['content-length'] ?? 0);

/**
 * Discards the rest of a refused body, up to 1 MiB. Beyond that it stops reading and ends the
 * connection shortly after: receiving everything from an unverified sender would keep the process
 * busy. Returns false if the connection may end and must not be reused: a chunked body does not
 * announce its length.
 */
export function abandonBody(request: IncomingMessage): boolean {
  if (request.complete) {
    return true;
  }
  let left = DISCARDED_MAX_BYTES;
  if (lengthOf(request.headers) > left) {
    stopReading(request);
    return false;
  }
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) {
      stopReading(request);
    }
  });
  return request.headers['transfer-encoding'] === undefined;
}

function stopReading(request: IncomingMessage): void {
  const { socket } = request;
  request.pause();
  // Otherwise Node itself discards the rest of a body that was never read.
  Object.assign(request, { _consumed: true });
  // Node would close the connection with its last response, and the reset would overtake that.
  Object.assign(socket, { destroySoon: () => socket.end() });
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
