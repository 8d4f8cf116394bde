import type { Outbound } from '#core/outbound.ts';
import { readAllowList, type AllowList } from './address-guard.ts';
import { sendRequest, type Agents } from './request.ts';
import { systemLookup, type Lookup } from './find-addresses.ts';
import { guardConnector } from './guarded-connector.ts';
import { readTarget } from './target.ts';
import { urlRefusal } from './url-refusal.ts';

const CONNECT_TIMEOUT_MS = 5_000;

export interface OutboundOptions {
  /** CIDRs of FRONTDESK_OUTBOUND_ALLOW. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup;
  /** For looking the name up, connecting and the TLS handshake. */
  readonly connectTimeoutMs?: number;
}

/**
 * Opens the way out. Its HTTP client is loaded with the first request, as `serve` seldom sends one.
 * Sending takes http:// too; what asks for https:// asks `refusal` first.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const { lookup = systemLookup, connectTimeoutMs: timeoutMs = CONNECT_TIMEOUT_MS } = options;
  const allow = readAllowList(options.allow);
  let opening: Promise<Agents> | undefined;
  let agents: Agents | undefined;
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
        : sendRequest(agents, target, request);
    },
    async close() {
      isClosed = true;
      const opened = await opening;
      await Promise.all([opened?.agent.destroy(), opened?.freshAgent.destroy()]);
    },
  };
}

/** Callers bound how much they send at a time; this keeps one receiver from taking every port. */
const CONNECTIONS_PER_ORIGIN = 128;

/** Longer kept, more connections turn out dead when they are used again. */
const KEPT_MS = 4_000;

async function openAgents(options: {
  allow: AllowList;
  lookup: Lookup;
  timeoutMs: number;
}): Promise<Agents> {
  const { Agent, buildConnector } = await import('undici');
  const { connect, isHandingOver } = guardConnector(buildConnector, options);
  const settings = {
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: KEPT_MS,
    keepAliveMaxTimeout: KEPT_MS,
    // Each request has its own deadline over everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return {
    agent: new Agent(settings),
    freshAgent: new Agent({ ...settings, pipelining: 0 }),
    isHandingOver,
  };
}
