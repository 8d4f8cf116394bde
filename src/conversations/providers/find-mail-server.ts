import { notPublic, readAllowList, usableAddresses } from '#platform/outbound/guard.ts';
import { findAddresses, systemLookup } from '#platform/outbound/lookup.ts';
import { PRIVATE_ADDRESS } from './http-outcome.ts';

/** Why a mail server cannot be used: `again` may pass, `refused` needs an admin. */
export interface NoServer {
  readonly result: 'again' | 'refused';
  readonly errorCode: string;
  readonly errorMessage: string;
}

/**
 * Resolves the name of a mail server to an address that may be connected to, checked like those of
 * webhooks. Each further attempt takes the name's next address.
 */
export async function findMailServer(
  host: string,
  allow: readonly string[],
  attempt: number,
): Promise<{ readonly address: string } | NoServer> {
  const addresses = await findAddresses(host, systemLookup);
  if (addresses.length === 0) {
    const errorMessage = `the name ${host} does not resolve`;
    return { result: 'again', errorCode: 'EDNS', errorMessage };
  }
  const usable = usableAddresses(addresses, readAllowList(allow));
  const next = usable[(attempt - 1) % usable.length];
  return next
    ? { address: next.address }
    : { result: 'refused', errorCode: PRIVATE_ADDRESS, errorMessage: notPublic(host) };
}
