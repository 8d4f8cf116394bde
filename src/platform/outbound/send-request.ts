import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import { collectBytes } from '#lib/collect-bytes.ts';
import { openAbortWatch } from './abort-watch.ts';
import {
  type Connect,
  type Connection,
  type ConnectionUser,
  KEEP_MS,
  releaseConnection,
  assignConnection,
} from './connections.ts';
import { durationText, explainRequestError, explainTimeout, isPrivateAddress } from './explain.ts';
import type { Target } from './guard.ts';
import { closeOrigins, newOrigins, originOf } from './origins.ts';
import {
  bodyOf,
  isStale,
  newPendingRequest,
  type PendingRequest,
  type Pools,
  sizeOf,
} from './pending-request.ts';
import { requestHead, writeRequest } from './request-head.ts';
import { announcedKeepMs, endsWithConnection, receive } from './response.ts';

export const newPools = (connect: Connect): Pools => ({
  origins: newOrigins(connect, user),
  pending: new Set(),
});

/** Ends all requests and connections. */
export function closePools({ origins, pending }: Pools): void {
  pending.forEach((one) => fail(one, 'aborted'));
  closeOrigins(origins);
}

/** Sends a request. Resolves within its timeout, or twice that if it waits for a place; never rejects. */
export function sendRequest(
  pools: Pools,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer | OutboundFailure> {
  return new Promise((resolve) => {
    const one = newPendingRequest(pools, target, request, resolve);
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
  // An abort after the response would cost as much as signing the request.
  one.waiting = undefined;
  if (one.isSettled) {
    leave();
    return;
  }
  clearTimeout(one.timer);
  one.timer = setTimeout(failLate, one.request.timeoutMs, one);
  // A reused connection may be closing; it would be unknown whether the request arrived.
  dispatch(one, one.request.isRepeatable);
}

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
    } else if (sizeOf(one) > SMALL_BODY_BYTES) {
      void makeRoom(one);
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

/** What every response may have without waiting. */
const SMALL_BODY_BYTES = 65_536;

/** Reads no more of a large body until its caller has room for it. */
async function makeRoom(one: PendingRequest): Promise<void> {
  const { request, connection } = one;
  if (!request.makeRoom || one.room !== undefined) {
    return;
  }
  one.room = 'awaited';
  connection?.socket.pause();
  try {
    await request.makeRoom();
    one.room = 'taken';
    connection?.socket.resume();
  } catch (error) {
    fail(one, (error as Error).message);
  }
}

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

function failLate(one: PendingRequest): void {
  const { response, request, room } = one;
  const failure = room === 'awaited' ? NO_ROOM : explainTimeout(response.status, request.timeoutMs);
  fail(one, failure);
}

const NO_ROOM = 'too many other large responses are being read';

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

const aborts = openAbortWatch<PendingRequest>((one) => fail(one, 'aborted'));
