import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { boundedCache } from '#lib/bounded-cache.ts';
import { type AllowList, isAllowed as isIn } from '../outbound/guard.ts';

/** The prefix of IPv6 addresses that count as one visitor: a household has a whole /64. */
const NETWORK_BITS = 64;

/** Parsing an address takes 2 µs, and a peer sends many requests. */
const peers = boundedCache<string>(1_000);

/**
 * Returns the address of the visitor: the peer or, if that is a trusted proxy, the rightmost hop of
 * `X-Forwarded-For` that is not one (contract 2). Hops to the left of it can be forged.
 */
export function visitorAddress({ socket, headers }: IncomingMessage, proxies: AllowList): string {
  const { remoteAddress: peer = '' } = socket;
  let address = peers(peer, () => plain(peer));
  const { 'x-forwarded-for': forwarded } = headers;
  if (forwarded === undefined) {
    return address;
  }
  const hops = [forwarded].flat().join(',').split(',').toReversed();
  for (const hop of hops) {
    if (!isIn(address, proxies) || !isAddress(hop.trim())) {
      break;
    }
    address = plain(hop.trim());
  }
  return address;
}

/** Returns the network whose requests are counted together: an IPv4 address, or an IPv6 /64. */
export function visitorNetwork(address: string): string {
  if (isIP(address) !== 6) {
    return address;
  }
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, NETWORK_BITS / 16);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${NETWORK_BITS}`;
}

/** Returns an IPv4-mapped IPv6 address as IPv4. */
const plain = (address: string): string =>
  isAddress(address) ? ipaddr.process(address).toString() : address;

/** Both parsers must accept it: each alone accepts unusual spellings. */
const isAddress = (text: string): boolean => isIP(text) > 0 && ipaddr.isValid(text);
