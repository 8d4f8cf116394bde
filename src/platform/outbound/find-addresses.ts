import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** All addresses of a name; rejects where it has none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** As the system does it, with its hosts file. */
export const systemLookup: Lookup = (hostname) => lookup(hostname, { all: true });

const LOOKUP_TIMEOUT_MS = 2_000;

/** The addresses of a name, none where it does not resolve in time. */
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
