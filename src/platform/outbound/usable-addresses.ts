import type { LookupAddress } from 'node:dns';
import { isAllowed, isPublic, type AllowList } from './address-guard.ts';

/**
 * Those of a name's addresses that may be called: the ones the operator allows; where there are
 * none, all of them if all are public. A name with one private address is somebody's trick.
 */
export function usableAddresses(
  addresses: readonly LookupAddress[],
  allow: AllowList,
): readonly LookupAddress[] {
  const allowed = addresses.filter(({ address }) => isAllowed(address, allow));
  if (allowed.length > 0) {
    return allowed;
  }
  return addresses.every(({ address }) => isPublic(address)) ? addresses : [];
}

/** The address stays unsaid, so that nobody can map the operator's network by name. */
export const notPublic = (hostname: string): string =>
  `the name ${hostname} leads to an address that is not public`;
