import type { Outbound } from '#core/outbound.ts';
import { boundedCache } from '#lib/bounded-cache.ts';
import {
  guardConnector,
  type GuardOptions,
  readAllowList,
  readTarget,
  type Target,
  urlRefusal,
} from './guard.ts';
import { systemLookup, type Lookup } from './lookup.ts';
import type { Pools } from './pending-request.ts';
import { closePools, newPools, sendRequest } from './send-request.ts';

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
  let opening: Promise<AllPools> | undefined;
  let pools: AllPools | undefined;
  let isClosed = false;
  return {
    refusal: (url) => urlRefusal(url, allow, lookup),
    async send(request) {
      const target = targetOf(request.url, () => readTarget(request.url, ['https:', 'http:']));
      if (typeof target === 'string') {
        return { failure: target, wasSent: false };
      }
      pools ??= await (opening ??= openPools({ allow, lookup, timeoutMs }));
      return isClosed || request.signal?.aborted
        ? { failure: 'aborted', wasSent: false }
        : sendRequest(pools[request.isPlainPublic ? 'lenient' : 'strict'], target, request);
    },
    async close() {
      isClosed = true;
      const opened = await opening;
      if (opened) {
        closePools(opened.strict);
        closePools(opened.lenient);
      }
    },
  };
}

/** Parsing a URL costs as much as reading a response. */
const targetOf = boundedCache<Target | string>(1_000);

/** Requests that may send http:// to public addresses have connections of their own. */
interface AllPools {
  readonly strict: Pools;
  readonly lenient: Pools;
}

async function openPools(options: GuardOptions): Promise<AllPools> {
  const { buildConnector } = await import('undici');
  const poolsWith = (isPlainPublic: boolean): Pools =>
    newPools(guardConnector(buildConnector, { ...options, isPlainPublic }));
  return { strict: poolsWith(false), lenient: poolsWith(true) };
}
