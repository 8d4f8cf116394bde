import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import { collectBytes, type Collector } from '#lib/collect-bytes.ts';
import { openAbortWatch } from './abort-watch.ts';
import {
  type Connect,
  type Connection,
  type ConnectionUser,
  KEEP_MS,
  type Pool,
  releaseConnection,
  assignConnection,
} from './connections.ts';
import { durationText, explainRequestError, explainTimeout, isPrivateAddress } from './explain.ts';
import type { Target } from './guard.ts';
import { closeOrigins, newOrigins, originOf, type Origins } from './origins.ts';
import { requestHead, writeRequest } from './request-head.ts';
import {
  announcedKeepMs,
  endsWithConnection,
  newResponse,
  receive,
  type Response,
} from './response.ts';

/** The connections to all origins, and the requests in progress. */
export interface Pools {
  readonly origins: Origins<PendingRequest>;
  readonly pending: Set<PendingRequest>;
}

export const newPools = (connect: Connect): Pools => ({
  origins: newOrigins(connect, user),
  pending: new Set(),
});

/** Ends all requests and connections. */
export function closePools({ origins, pending }: Pools): void {
  pending.forEach((one) => fail(one, 'aborted'));
  closeOrigins(origins);
}

/** A request in progress, with the response as far as it was received. */
interface PendingRequest {
  readonly pools: Pools;
  readonly target: Target;
  readonly request: OutboundRequest;
  readonly response: Response;
  readonly end: (outcome: OutboundAnswer | OutboundFailure) => void;
  timer: NodeJS.Timeout | undefined;
  /** Ends the request unless the peer sends something in time. */
  idleTimer: NodeJS.Timeout | undefined;
  /** Ends the wait for a place. */
  waiting: AbortController | undefined;
  /** Gives the place back. */
  leave: (() => void) | undefined;
  /** A connection is being opened, also if the request was given up meanwhile. */
  isConnecting: boolean;
  pool: Pool<PendingRequest> | undefined;
  connection: Connection<PendingRequest> | undefined;
  head: string;
  isSettled: boolean;
  isKept: boolean;
  /** Bytes of the request may have reached the peer. */
  wasSent: boolean;
  isOnReused: boolean;
  hasResponseStarted: boolean;
  isResent: boolean;
  /** What arrived of the response's body. */
  body: Collector | undefined;
}

/** Sends a request. Resolves within its timeout, or twice that if it waits for a place; never rejects. */
export function sendRequest(
  pools: Pools,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer | OutboundFailure> {
  return new Promise((resolve) => {
    const one = begin(pools, target, request, resolve);
    aborts.add(request.signal, one);
    pools.pending.add(one);
    const { gate } = originOf(pools.origins, target);
    const place = gate.enterNow(request.subAccountId, () => waitForPlace(one));
    // Hot: bench deliver-webhooks. A request that finds a place waits for no promise.
    if (typeof place === 'function') {
      start(one, place);
    } else {
      place.then(
        (leave) => start(one, leave),
        () => undefined,
      );
    }
  });
}

/** The time that the request may take has not begun yet. */
function waitForPlace(one: PendingRequest): AbortSignal {
  one.waiting = new AbortController();
  one.timer = setTimeout(failUnsent, one.request.timeoutMs, one);
  return one.waiting.signal;
}

function start(one: PendingRequest, leave: () => void): void {
  one.leave = leave;
  if (one.isSettled) {
    leave();
    return;
  }
  clearTimeout(one.timer);
  one.timer = setTimeout(failLate, one.request.timeoutMs, one);
  // A reused connection may be closing; it would be unknown whether the request arrived.
  dispatch(one, one.request.isRepeatable);
}

const begin = (
  pools: Pools,
  target: Target,
  request: OutboundRequest,
  end: PendingRequest['end'],
): PendingRequest => ({
  pools,
  target,
  request,
  response: newResponse(),
  end,
  timer: undefined,
  idleTimer: undefined,
  waiting: undefined,
  leave: undefined,
  isConnecting: false,
  pool: undefined,
  connection: undefined,
  head: '',
  isSettled: false,
  isKept: false,
  wasSent: false,
  isOnReused: false,
  hasResponseStarted: false,
  isResent: false,
  body: undefined,
});

function dispatch(one: PendingRequest, isKept: boolean): void {
  const { target, pools } = one;
  const { pool } = originOf(pools.origins, target);
  one.pool = pool;
  one.isKept = isKept;
  try {
    one.head = requestHead(target, one.request, isKept ? 'keep-alive' : 'close');
  } catch (error) {
    fail(one, explainRequestError(error as Error));
    return;
  }
  one.isConnecting = true;
  assignConnection(pool, one, isKept);
}

const user: ConnectionUser<PendingRequest> = {
  start(one, connection) {
    one.isConnecting = false;
    if (one.isSettled) {
      one.leave?.();
      return false;
    }
    one.connection = connection;
    one.isOnReused = connection.isReused;
    one.wasSent = true;
    expectBytes(one);
    writeRequest(connection.socket, one.head, one.request.body);
    return true;
  },
  receive(one, bytes) {
    one.hasResponseStarted = true;
    one.idleTimer?.refresh();
    try {
      receive(one.response, bytes, (part) => {
        // The peer decides on the size of the parts.
        one.body ??= collectBytes();
        one.body.add(part);
      });
    } catch (error) {
      fail(one, explainRequestError(error as Error));
      return;
    }
    const { response, request } = one;
    const isComplete = response.phase === 'complete';
    if (isComplete || (response.status >= 200 && sizeOf(one) >= request.readMaxBytes)) {
      succeed(one, isComplete);
    }
  },
  end(one, error) {
    one.connection = undefined;
    if (endsWithConnection(one.response) && !error) {
      succeed(one, false);
    } else if (isStale(one, error)) {
      one.isResent = true;
      dispatch(one, false);
    } else {
      fail(one, error ? explainRequestError(error) : CLOSED_EARLY);
    }
  },
  failToConnect(one, error) {
    one.isConnecting = false;
    if (one.isSettled) {
      one.leave?.();
    }
    fail(one, error.message, isPrivateAddress(error));
  },
};

const CLOSED_EARLY = 'the connection was closed before the response was complete';

function succeed(one: PendingRequest, isComplete: boolean): void {
  const { response, connection, pool } = one;
  if (pool && connection) {
    one.connection = undefined;
    releaseConnection(pool, connection, isComplete ? keepMs(one, connection) : 0);
  }
  settle(one, { status: response.status, headers: response.headers, body: bodyOf(one) });
}

function fail(one: PendingRequest, failure: string, isPrivate = false): void {
  const { connection, pool, wasSent } = one;
  one.connection = undefined;
  settle(one, { failure, wasSent, ...(isPrivate && { isPrivate }) });
  if (pool && connection) {
    releaseConnection(pool, connection, 0);
  }
}

function settle(one: PendingRequest, outcome: OutboundAnswer | OutboundFailure): void {
  if (!one.isSettled) {
    one.isSettled = true;
    clearTimeout(one.timer);
    clearTimeout(one.idleTimer);
    aborts.remove(one.request.signal, one);
    one.pools.pending.delete(one);
    one.waiting?.abort();
    if (!one.isConnecting) {
      one.leave?.();
    }
    one.end(outcome);
  }
}

/** Returns for how long a connection is kept after its response. */
function keepMs({ isKept, response }: PendingRequest, { socket }: Connection<unknown>): number {
  if (!isKept || !response.isKept || socket.writableLength > 0) {
    return 0;
  }
  return Math.min(KEEP_MS, announcedKeepMs(response));
}

const failLate = (one: PendingRequest): void =>
  fail(one, explainTimeout(one.response.status, one.request.timeoutMs));

/** Starts the time in which the peer must send something, again for a request that is sent again. */
function expectBytes(one: PendingRequest): void {
  const { idleTimeoutMs } = one.request;
  if (idleTimeoutMs !== undefined) {
    clearTimeout(one.idleTimer);
    one.idleTimer = setTimeout(failIdle, idleTimeoutMs, one, idleTimeoutMs);
  }
}

const failIdle = (one: PendingRequest, idleTimeoutMs: number): void =>
  fail(one, `the server sent nothing for ${durationText(idleTimeoutMs)}`);

function failUnsent(one: PendingRequest): void {
  const { target, request } = one;
  const failure = `no connection to ${target.host} was free within ${durationText(request.timeoutMs)}`;
  settle(one, { failure, wasSent: false, hadNoConnection: true });
}

const sizeOf = ({ body }: PendingRequest): number => body?.size ?? 0;

function bodyOf({ body, request }: PendingRequest): Buffer {
  const whole = body?.bytes() ?? Buffer.alloc(0);
  return whole.length > request.readMaxBytes ? whole.subarray(0, request.readMaxBytes) : whole;
}

const CONNECTION_CLOSED = new Set([undefined, 'ECONNRESET', 'EPIPE']);

/**
 * Returns whether a request failed because the peer was closing the reused connection. The peer may
 * still have read the request: only a repeatable one may be sent again.
 */
const isStale = (
  { isSettled, request, isOnReused, hasResponseStarted, isResent }: PendingRequest,
  error: (Error & { code?: string }) | undefined,
): boolean =>
  !isSettled &&
  request.isRepeatable &&
  isOnReused &&
  !hasResponseStarted &&
  !isResent &&
  CONNECTION_CLOSED.has(error?.code);

const aborts = openAbortWatch<PendingRequest>((one) => fail(one, 'aborted'));
