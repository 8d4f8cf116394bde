import { addressRefusal, type AllowList } from './address-guard.ts';
import { findAddresses, type Lookup } from './find-addresses.ts';
import { isLiteral, isLocalName, readTarget } from './target.ts';
import { notPublic, usableAddresses } from './usable-addresses.ts';

/**
 * Why a URL may not be stored for later calls. A name that does not resolve now is let through: it
 * is looked up again for every connection.
 */
export async function urlRefusal(
  url: string,
  allow: AllowList,
  lookup: Lookup,
): Promise<string | undefined> {
  const target = readTarget(url, ['https:']);
  if (typeof target === 'string') {
    return target;
  }
  const { hostname } = target;
  if (isLiteral(hostname)) {
    return addressRefusal(hostname, allow);
  }
  const addresses = await findAddresses(hostname, lookup);
  const isUnknown = addresses.length === 0 && !isLocalName(hostname);
  return isUnknown || usableAddresses(addresses, allow).length > 0
    ? undefined
    : notPublic(hostname);
}
