import type { Agent, Dispatcher } from 'undici';
import type { Outbound, OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import {
  guardConnector,
  type GuardOptions,
  type Lookup,
  readAllowList,
  readTarget,
  systemLookup,
  type Target,
  urlRefusal,
} from './guard.ts';
import { durationText, explainRequestError } from './explain.ts';

const CONNECT_TIMEOUT_MS = 5_000;

export interface OutboundOptions {
  /** CIDRs of FRONTDESK_OUTBOUND_ALLOW. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup;
  /** For the name lookup, connecting and the TLS handshake. */
  readonly connectTimeoutMs?: number;
}

/**
 * Opens the HTTP client for addresses that sub-accounts configure. undici is loaded with the first
 * request: `serve` seldom sends one.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const { lookup = systemLookup, connectTimeoutMs: timeoutMs = CONNECT_TIMEOUT_MS } = options;
  const allow = readAllowList(options.allow);
  let opening: Promise<AllAgents> | undefined;
  let agents: AllAgents | undefined;
  let isClosed = false;
  return {
    refusal: (url) => urlRefusal(url, allow, lookup),
    async send(request) {
      const target = readTarget(request.url, ['https:', 'http:']);
      if (typeof target === 'string') {
        return { failure: target, wasSent: false };
      }
      agents ??= await (opening ??= openAgents({ allow, lookup, timeoutMs }));
      return isClosed || request.signal?.aborted
        ? { failure: 'aborted', wasSent: false }
        : sendRequest(agents[request.isPlainPublic ? 'lenient' : 'strict'], target, request);
    },
    async close() {
      isClosed = true;
      const opened = await opening;
      const all = opened ? [opened.strict, opened.lenient] : [];
      await Promise.all(all.flatMap((one) => [one.agent.destroy(), one.freshAgent.destroy()]));
    },
  };
}

/** Keeps one receiver from using every port; callers limit their concurrency themselves. */
const CONNECTIONS_PER_ORIGIN = 128;

/** Connections that idle for longer are more often found closed when they are reused. */
const KEEP_ALIVE_MS = 4_000;

/** Requests that may send http:// to public addresses have connections of their own. */
interface AllAgents {
  readonly strict: Agents;
  readonly lenient: Agents;
}

async function openAgents(options: GuardOptions): Promise<AllAgents> {
  const undici = await import('undici');
  return {
    strict: agentsOf(undici, options),
    lenient: agentsOf(undici, { ...options, isPlainPublic: true }),
  };
}

function agentsOf(
  { Agent, buildConnector }: typeof import('undici'),
  options: GuardOptions & { readonly isPlainPublic?: boolean },
): Agents {
  const { connect, isConnecting } = guardConnector(buildConnector, options);
  const settings = {
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Each request has one deadline for all of its phases.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return {
    agent: new Agent(settings),
    freshAgent: new Agent({ ...settings, pipelining: 0 }),
    isConnecting,
  };
}

/** The two ways to send a request. */
export interface Agents {
  /** Keeps connections for the next repeatable request. */
  readonly agent: Agent;
  /** Opens a connection for each request. */
  readonly freshAgent: Agent;
  readonly isConnecting: () => boolean;
}

/** A request in progress, with the response as far as it was received. */
interface PendingRequest {
  readonly agents: Agents;
  readonly target: Target;
  readonly request: OutboundRequest;
  readonly chunks: Buffer[];
  readonly end: (outcome: OutboundAnswer | OutboundFailure) => void;
  controller: Dispatcher.DispatchController | undefined;
  isSettled: boolean;
  /** The request was passed to a connection: bytes of it may have reached the peer. */
  wasSent: boolean;
  isOnNewConnection: boolean;
  hasResponseStarted: boolean;
  isResent: boolean;
  status: number;
  headers: Record<string, string>;
  received: number;
}

/** Sends a request and resolves before its deadline. Never rejects. */
export function sendRequest(
  agents: Agents,
  target: Target,
  request: OutboundRequest,
): Promise<OutboundAnswer | OutboundFailure> {
  const { signal, timeoutMs } = request;
  return new Promise((resolve) => {
    const abort = () => fail(one, 'aborted');
    const timer = setTimeout(() => fail(one, timeoutFailure(one)), timeoutMs);
    const end = (outcome: OutboundAnswer | OutboundFailure) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const one = begin(agents, target, request, end);
    signal?.addEventListener('abort', abort);
    // A reused connection may be closing; it would be unknown whether the request arrived.
    dispatch(one, request.isRepeatable ? agents.agent : agents.freshAgent);
  });
}

const begin = (
  agents: Agents,
  target: Target,
  request: OutboundRequest,
  end: PendingRequest['end'],
): PendingRequest => ({
  agents,
  target,
  request,
  chunks: [],
  end,
  controller: undefined,
  isSettled: false,
  wasSent: false,
  isOnNewConnection: false,
  hasResponseStarted: false,
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
    if (one.isSettled) {
      // Throwing ends the request alone; aborting would end the connection too.
      throw new Error('abandoned before a connection was free');
    }
    one.controller = controller;
    one.wasSent = true;
    one.isOnNewConnection = one.agents.isConnecting();
  },
  onResponseStarted() {
    one.hasResponseStarted = true;
  },
  onResponseStart(_controller, status, headers) {
    if (status >= 200) {
      one.status = status;
      one.headers = firstValues(headers);
      endAtLimit(one);
    }
  },
  onResponseData(_controller, chunk) {
    if (!one.isSettled) {
      one.chunks.push(chunk);
      one.received += chunk.length;
      endAtLimit(one);
    }
  },
  onResponseEnd() {
    one.controller = undefined;
    succeed(one);
  },
  onResponseError(_controller, error) {
    one.controller = undefined;
    if (!one.isSettled && one.request.isRepeatable && isStale(error, one)) {
      one.isResent = true;
      dispatch(one, one.agents.freshAgent);
    } else {
      fail(one, explainRequestError(error));
    }
  },
});

function endAtLimit(one: PendingRequest): void {
  if (one.received >= one.request.readMaxBytes) {
    succeed(one);
    // An end of response that came with these bytes is handled first and keeps the connection.
    setImmediate(() => disconnect(one));
  }
}

function succeed(one: PendingRequest): void {
  if (!one.isSettled) {
    one.isSettled = true;
    const { status, headers } = one;
    one.end({ status, headers, body: bodyOf(one) });
  }
}

function fail(one: PendingRequest, failure: string): void {
  if (!one.isSettled) {
    one.isSettled = true;
    one.end({ failure, wasSent: one.wasSent });
    disconnect(one);
  }
}

/** Without a controller the request has ended, or waits for a connection and is dropped there. */
const disconnect = (one: PendingRequest): void => one.controller?.abort(new Error('abandoned'));

const timeoutFailure = ({ status, request }: PendingRequest): string =>
  status > 0
    ? `the response did not end within ${durationText(request.timeoutMs)}`
    : `no response within ${durationText(request.timeoutMs)}`;

function bodyOf({ chunks, received, request }: PendingRequest): Buffer {
  const [first] = chunks;
  const whole = chunks.length === 1 && first ? first : Buffer.concat(chunks);
  return received > request.readMaxBytes ? whole.subarray(0, request.readMaxBytes) : whole;
}

function firstValues(
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

const CONNECTION_CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

interface SentRequest {
  readonly isOnNewConnection: boolean;
  readonly hasResponseStarted: boolean;
  readonly isResent: boolean;
}

/**
 * Returns whether a request failed because the peer was closing the reused connection. The peer may
 * still have read the request: only a repeatable one may be sent again. Failed connects have no code.
 */
export const isStale = ({ code }: Error & { code?: string }, sent: SentRequest): boolean =>
  CONNECTION_CLOSED.has(code ?? '') &&
  !sent.isOnNewConnection &&
  !sent.hasResponseStarted &&
  !sent.isResent;
