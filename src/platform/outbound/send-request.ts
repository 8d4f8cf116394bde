import type { Socket } from 'node:net';
import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import { collectBytes, type Collector } from '#lib/collect-bytes.ts';
import { openAbortWatch } from './abort-watch.ts';
import {
  type Connect,
  type Connection,
  type ConnectionUser,
  closePool,
  KEEP_MS,
  newPool,
  type Pool,
  releaseConnection,
  assignConnection,
} from './connections.ts';
import { durationText, explainRequestError, isPrivateAddress } from './explain.ts';
import type { Target } from './guard.ts';
import { requestHead } from './request-head.ts';
import { endsWithConnection, newResponse, receive, type Response } from './response.ts';

type PoolsByOrigin = Map<string, Pool<PendingRequest>>;

/** The connections to all origins. */
export interface Pools {
  readonly connect: Connect;
  /** Connections that are kept for the next repeatable request. */
  readonly kept: PoolsByOrigin;
  /** Connections that are used once. */
  readonly fresh: PoolsByOrigin;
  readonly pending: Set<PendingRequest>;
}

export const newPools = (connect: Connect): Pools => ({
  connect,
  kept: new Map(),
  fresh: new Map(),
  pending: new Set(),
});

/** Ends all requests and connections. */
export function closePools({ kept, fresh, pending }: Pools): void {
  pending.forEach((one) => fail(one, 'aborted'));
  for (const pool of [...kept.values(), ...fresh.values()]) {
    closePool(pool);
  }
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

/** Sends a request and resolves before its deadline. Never rejects. */
export function sendRequest(
  pools: Pools,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer | OutboundFailure> {
  return new Promise((resolve) => {
    const one = begin(pools, target, request, resolve);
    one.timer = setTimeout(failLate, request.timeoutMs, one);
    aborts.add(request.signal, one);
    pools.pending.add(one);
    // A reused connection may be closing; it would be unknown whether the request arrived.
    dispatch(one, request.isRepeatable);
  });
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
  const byOrigin = isKept ? pools.kept : pools.fresh;
  let pool = byOrigin.get(target.origin);
  if (pool === undefined) {
    const onUnused = () => void byOrigin.delete(target.origin);
    pool = newPool({ connect: pools.connect, target, user, keeps: isKept, onUnused });
    byOrigin.set(target.origin, pool);
  }
  one.pool = pool;
  one.isKept = isKept;
  try {
    one.head = requestHead(target, one.request, isKept ? 'keep-alive' : 'close');
  } catch (error) {
    fail(one, explainRequestError(error as Error));
    return;
  }
  assignConnection(pool, one);
}

const user: ConnectionUser<PendingRequest> = {
  isWaiting: ({ isSettled }) => !isSettled,
  start(one, connection) {
    one.connection = connection;
    one.isOnReused = connection.isReused;
    one.wasSent = true;
    expectBytes(one);
    write(connection.socket, one.head, one.request.body);
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
    fail(one, error.message, isPrivateAddress(error));
  },
};

const CLOSED_EARLY = 'the connection was closed before the response was complete';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/**
 * One write, if the body is text: each system call is noticeable (bench: deliver-webhooks). Receivers
 * read a head as Latin-1, and such a body as UTF-8.
 */
function write(socket: Socket, head: string, body: OutboundRequest['body']): void {
  if (typeof body === 'string' && isAscii(head)) {
    const text = head + body;
    socket.write(text, isAscii(text) ? 'latin1' : 'utf8');
  } else {
    socket.cork();
    socket.write(head, 'latin1');
    if (body !== undefined) {
      socket.write(body);
    }
    socket.uncork();
  }
}

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
    one.end(outcome);
  }
}

/** Peers that announce how long they keep a connection close it in time, minus the way there. */
const ANNOUNCED = /(?:^|[, ])timeout=(\d{1,9})/i;
const ANNOUNCED_LESS_MS = 2_000;

/** Returns for how long a connection is kept after its response. */
function keepMs({ isKept, response }: PendingRequest, { socket }: Connection<unknown>): number {
  if (!isKept || !response.isKept || socket.writableLength > 0) {
    return 0;
  }
  const [, seconds] = ANNOUNCED.exec(response.headers['keep-alive'] ?? '') ?? [];
  const announcedMs = Number(seconds ?? Infinity) * 1_000 - ANNOUNCED_LESS_MS;
  return Math.min(KEEP_MS, announcedMs);
}

const failLate = (one: PendingRequest): void => fail(one, timeoutFailure(one));

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

const timeoutFailure = ({ response, request }: PendingRequest): string =>
  response.status >= 200
    ? `the response did not end within ${durationText(request.timeoutMs)}`
    : `no response within ${durationText(request.timeoutMs)}`;

const EMPTY = Buffer.alloc(0);

const sizeOf = ({ body }: PendingRequest): number => body?.size ?? 0;

function bodyOf({ body, request }: PendingRequest): Buffer {
  const whole = body?.bytes() ?? EMPTY;
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
