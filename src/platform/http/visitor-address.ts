import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type AllowList, isAllowed as isIn } from '../outbound/guard.ts';

/** Of an IPv6 address: a house has all of these, and one who moves among them is the same visitor. */
const NETWORK_BITS = 64;

/**
 * Where a request comes from: the peer, or, where the peer is a proxy of the operator's, the rightmost
 * hop of `X-Forwarded-For` that is not one (contract 2). What stands left of it anybody can write.
 */
export function visitorAddress({ socket, headers }: IncomingMessage, proxies: AllowList): string {
  const hops = [headers['x-forwarded-for']].flat().join(',').split(',').toReversed();
  let address = plain(socket.remoteAddress ?? '');
  for (const hop of hops) {
    if (!isIn(address, proxies) || !isAddress(hop.trim())) {
      break;
    }
    address = plain(hop.trim());
  }
  return address;
}

/** Whose visits are counted together. */
export function visitorNetwork(address: string): string {
  if (isIP(address) !== 6) {
    return address;
  }
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, NETWORK_BITS / 16);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${NETWORK_BITS}`;
}

/** IPv4 as IPv4, however the system or a proxy wrote it. */
const plain = (address: string): string =>
  isAddress(address) ? ipaddr.process(address).toString() : address;

/** As the system and proxies write it; each parser alone knows more spellings. */
const isAddress = (text: string): boolean => isIP(text) > 0 && ipaddr.isValid(text);
