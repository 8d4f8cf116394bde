import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { addressRefusal, type AllowList } from './address-guard.ts';
import { explainNoConnection, unusable } from './explain-failure.ts';
import type { Lookup } from './find-addresses.ts';
import { isLiteral } from './target.ts';
import { notPublic, usableAddresses } from './usable-addresses.ts';

/** Of several addresses, each but the last gets so long; Node's 250 ms fail across an ocean. */
const ADDRESS_TIMEOUT_MS = 1_000;

export interface GuardedConnector {
  readonly connect: buildConnector.connector;
  /** True while a new connection is handed over, when its first request starts. */
  readonly isHandingOver: () => boolean;
}

/**
 * Connects to nothing but checked addresses: a name is resolved once, what is found is checked, and
 * that is what the socket gets. Fails with the sentence for the caller.
 */
export function guardConnector(
  build: typeof buildConnector,
  { allow, lookup, timeoutMs }: { allow: AllowList; lookup: Lookup; timeoutMs: number },
): GuardedConnector {
  const connect = build({
    allowH2: false,
    timeout: timeoutMs,
    lookup: checkedLookup(allow, lookup),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  });
  let isHandingOver = false;
  return {
    isHandingOver: () => isHandingOver,
    connect(options, callback) {
      // For a literal the socket asks no lookup.
      const refusal = isLiteral(options.hostname) && addressRefusal(options.hostname, allow);
      if (refusal) {
        queueMicrotask(() => callback(new Error(refusal), null));
        return;
      }
      // Named by the URL alone: undici would take the TLS name from a Host header.
      connect({ ...options, servername: '' }, (error, socket) => {
        if (error) {
          const isTls = options.protocol === 'https:';
          callback(new Error(explainNoConnection(error, timeoutMs, isTls), { cause: error }), null);
          return;
        }
        isHandingOver = true;
        try {
          callback(null, socket);
        } finally {
          isHandingOver = false;
        }
      });
    },
  };
}

/** The socket asks for all addresses, as it tries one after the other. */
function checkedLookup(allow: AllowList, lookup: Lookup): LookupFunction {
  const find = callbackify((hostname: string) => findUsable(hostname, allow, lookup));
  return (hostname, _options, callback) => {
    find(hostname, (error, addresses) => callback(error, addresses ?? []));
  };
}

async function findUsable(
  hostname: string,
  allow: AllowList,
  lookup: Lookup,
): Promise<LookupAddress[]> {
  const addresses = await lookup(hostname).catch(() => []);
  const usable = usableAddresses(addresses, allow);
  if (usable.length === 0) {
    throw unusable(addresses.length > 0 ? notPublic(hostname) : doesNotResolve(hostname));
  }
  return [...usable];
}

const doesNotResolve = (hostname: string): string => `the name ${hostname} does not resolve`;
