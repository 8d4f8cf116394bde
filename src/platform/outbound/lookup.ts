import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { openGate } from '#lib/gate.ts';

/** Returns all addresses of a name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Below the number of threads that Node lets wait for names: half of UV_THREADPOOL_SIZE. */
const LOOKUPS_AT_ONCE = 24;
/** Waiting lookups of one domain. */
const WAITING_MAX = 200;

/**
 * Limits lookups: a name whose server never responds keeps a thread for ten seconds or more. The names of
 * a domain leave as many threads to others as they take; further ones wait, and are refused if too many do.
 */
export function shareLookups(lookup: Lookup, atOnce = LOOKUPS_AT_ONCE): Lookup {
  const gate = openGate<string>({ places: atOnce, waitingMax: WAITING_MAX });
  return (hostname) => gate.run(domainOf(hostname), () => lookup(hostname));
}

/** The last two labels: names below them cost their owner nothing. */
const domainOf = (hostname: string): string =>
  hostname.toLowerCase().split('.').filter(Boolean).slice(-2).join('.');

/** The lookup of the operating system, including its hosts file. */
export const systemLookup = shareLookups((hostname) => lookup(hostname, { all: true }));

const LOOKUP_TIMEOUT_MS = 2_000;

/** Returns the addresses of a name; none if it does not resolve in time. */
export async function findAddresses(
  hostname: string,
  lookup: Lookup,
  timeoutMs = LOOKUP_TIMEOUT_MS,
): Promise<readonly LookupAddress[]> {
  const late = Promise.withResolvers<readonly LookupAddress[]>();
  const timer = setTimeout(() => late.resolve([]), timeoutMs);
  try {
    return await Promise.race([lookup(hostname), late.promise]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
