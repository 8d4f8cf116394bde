import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { currentActivity } from '../process/activity.ts';

/** Returns all addresses of a name. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Below the number of threads that Node lets wait for names: half of UV_THREADPOOL_SIZE. */
const LOOKUPS_AT_ONCE = 24;
/** Waiting lookups of one domain. */
const WAITING_MAX = 200;

/**
 * Limits lookups: a name whose server never responds keeps a thread for ten seconds or more. A sub-account
 * leaves as many threads as it takes, and each of its domains twice as many. Further lookups wait, and are
 * refused if too many do.
 */
export function shareLookups(lookup: Lookup, atOnce = LOOKUPS_AT_ONCE): Lookup {
  const ofSubAccounts = openShares<string>(atOnce);
  const ofDomains = openShares<string>(atOnce, 2);
  const shares = {
    enter(domain: string) {
      const leaves = [ofSubAccounts.enter(subAccountOf(domain)), ofDomains.enter(domain)];
      return () => leaves.forEach((leave) => leave());
    },
    isFull: (domain: string) =>
      ofSubAccounts.isFull(subAccountOf(domain)) || ofDomains.isFull(domain),
  };
  const gate = openGate({ shares, waitingMax: WAITING_MAX });
  return (hostname) => gate.run(domainOf(hostname), () => lookup(hostname));
}

/**
 * The sub-account that looks up a name, and the last two labels of the name: names below them cost their
 * owner nothing.
 */
const domainOf = (hostname: string): string =>
  `${currentActivity()?.subAccountId ?? ''}/${hostname.toLowerCase().split('.').filter(Boolean).slice(-2).join('.')}`;

const subAccountOf = (domain: string): string => domain.slice(0, domain.indexOf('/'));

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
