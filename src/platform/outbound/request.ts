import type { Agent, Dispatcher } from 'undici';
import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import { explainFailure, seconds } from './explain-failure.ts';
import { isStale } from './stale.ts';
import type { Target } from './target.ts';

/** What requests go out by. */
export interface Agents {
  /** Keeps its connections for the next request that may be repeated. */
  readonly agent: Agent;
  /** Opens a connection for each request. */
  readonly freshAgent: Agent;
  readonly isHandingOver: () => boolean;
}

/** One request on its way, with the answer as far as it came. */
interface PendingRequest {
  readonly line: Agents;
  readonly target: Target;
  readonly request: OutboundRequest;
  readonly chunks: Buffer[];
  readonly end: (outcome: OutboundAnswer | OutboundFailure) => void;
  controller: Dispatcher.DispatchController | undefined;
  isOver: boolean;
  /** A connection took the request: from here on, bytes of it may have reached the peer. */
  wasSent: boolean;
  isOnNewConnection: boolean;
  hasAnswerBegun: boolean;
  isResent: boolean;
  status: number;
  headers: Record<string, string>;
  received: number;
}

/** Sends a request and ends in time, whatever the other side does. Never rejects. */
export function sendRequest(
  line: Agents,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer | OutboundFailure> {
  const { signal, timeoutMs } = request;
  return new Promise((resolve) => {
    const abort = () => fail(one, 'aborted');
    const timer = setTimeout(() => fail(one, lateness(one)), timeoutMs);
    const end = (outcome: OutboundAnswer | OutboundFailure) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const one = begin(line, target, request, end);
    signal?.addEventListener('abort', abort);
    // A kept connection may be closing, which would leave open whether the request arrived.
    dispatch(one, request.isRepeatable ? line.agent : line.freshAgent);
  });
}

const begin = (
  line: Agents,
  target: Target,
  request: OutboundRequest,
  end: PendingRequest['end'],
): PendingRequest => ({
  line,
  target,
  request,
  chunks: [],
  end,
  controller: undefined,
  isOver: false,
  wasSent: false,
  isOnNewConnection: false,
  hasAnswerBegun: false,
  isResent: false,
  status: 0,
  headers: {},
  received: 0,
});

function dispatch(one: PendingRequest, agent: Agent): void {
  const { target, request } = one;
  const { method, headers, body = null } = request;
  const { origin, path } = target;
  agent.dispatch({ origin, path, method, headers, body }, handler(one));
}

const handler = (one: PendingRequest): Dispatcher.DispatchHandler => ({
  onRequestStart(controller) {
    if (one.isOver) {
      // Thrown, it costs the request alone; to abort would cost the connection too.
      throw new Error('given up before a connection was free');
    }
    one.controller = controller;
    one.wasSent = true;
    one.isOnNewConnection = one.line.isHandingOver();
  },
  onResponseStarted() {
    one.hasAnswerBegun = true;
  },
  onResponseStart(_controller, status, headers) {
    if (status >= 200) {
      one.status = status;
      one.headers = firstOfEach(headers);
      endAtCap(one);
    }
  },
  onResponseData(_controller, chunk) {
    if (!one.isOver) {
      one.chunks.push(chunk);
      one.received += chunk.length;
      endAtCap(one);
    }
  },
  onResponseEnd() {
    one.controller = undefined;
    succeed(one);
  },
  onResponseError(_controller, error) {
    one.controller = undefined;
    if (!one.isOver && one.request.isRepeatable && isStale(error, one)) {
      one.isResent = true;
      dispatch(one, one.line.freshAgent);
    } else {
      fail(one, explainFailure(error));
    }
  },
});

function endAtCap(one: PendingRequest): void {
  if (one.received >= one.request.readMaxBytes) {
    succeed(one);
    // An end that came with these bytes is seen before, and keeps the connection.
    setImmediate(() => hangUp(one));
  }
}

function succeed(one: PendingRequest): void {
  if (!one.isOver) {
    one.isOver = true;
    const { status, headers } = one;
    one.end({ status, headers, body: bodyOf(one) });
  }
}

function fail(one: PendingRequest, failure: string): void {
  if (!one.isOver) {
    one.isOver = true;
    one.end({ failure, wasSent: one.wasSent });
    hangUp(one);
  }
}

/** Without a controller the request waits for a connection, and will be dropped there, or is done. */
const hangUp = (one: PendingRequest): void => one.controller?.abort(new Error('given up'));

const lateness = ({ status, request }: PendingRequest): string =>
  status > 0
    ? `the answer did not end within ${seconds(request.timeoutMs)}`
    : `no answer within ${seconds(request.timeoutMs)}`;

function bodyOf({ chunks, received, request }: PendingRequest): Buffer {
  const [first] = chunks;
  const whole = chunks.length === 1 && first ? first : Buffer.concat(chunks);
  return received > request.readMaxBytes ? whole.subarray(0, request.readMaxBytes) : whole;
}

function firstOfEach(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') {
      headers[name] = value?.[0] ?? '';
    }
  }
  return headers as Record<string, string>;
}
