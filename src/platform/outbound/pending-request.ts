import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import type { Collector } from '#lib/collect-bytes.ts';
import type { Connection, Pool } from './connections.ts';
import type { Target } from './guard.ts';
import type { Origins } from './origins.ts';
import { newResponse, type Response } from './response.ts';

/** The connections to all origins, and the requests in progress. */
export interface Pools {
  readonly origins: Origins<PendingRequest>;
  readonly pending: Set<PendingRequest>;
}

/** A request in progress, with the response as far as it was received. */
export interface PendingRequest {
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
  /** Whether the rest of a large body waits for its place, or has it. */
  room: 'awaited' | 'taken' | undefined;
}

export const newPendingRequest = (
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
  room: undefined,
});

export const sizeOf = ({ body }: PendingRequest): number => body?.size ?? 0;

export function bodyOf({ body, request }: PendingRequest): Buffer {
  const whole = body?.bytes() ?? Buffer.alloc(0);
  return whole.length > request.readMaxBytes ? whole.subarray(0, request.readMaxBytes) : whole;
}

const CONNECTION_CLOSED = new Set([undefined, 'ECONNRESET', 'EPIPE']);

/**
 * Returns whether a request failed because the peer was closing the reused connection. The peer may
 * still have read the request: only a repeatable one may be sent again.
 */
export const isStale = (
  { isSettled, request, isOnReused, hasResponseStarted, isResent }: PendingRequest,
  error: (Error & { code?: string }) | undefined,
): boolean =>
  !isSettled &&
  request.isRepeatable &&
  isOnReused &&
  !hasResponseStarted &&
  !isResent &&
  CONNECTION_CLOSED.has(error?.code);
