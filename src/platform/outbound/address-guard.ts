import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks the operator lets sub-accounts name although they are private. */
export type AllowList = readonly (readonly [Address, number])[];

/** Throws where an entry is no CIDR. */
export const readAllowList = (networks: readonly string[]): AllowList =>
  networks.map((network) => ipaddr.parseCIDR(network));

/**
 * Why the address may not be called. It takes an address as the system writes it; anything else,
 * also a spelling that only some parsers understand, is refused.
 */
export const addressRefusal = (address: string, allow: AllowList): string | undefined =>
  isAllowed(address, allow) || isPublic(address)
    ? undefined
    : `the address ${address} is not public`;

/** An IPv4 network never holds an IPv6 address, not even one that embeds an address of it. */
export function isAllowed(address: string, allow: AllowList): boolean {
  const parsed = parse(address);
  return (
    parsed !== undefined &&
    allow.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
  );
}

/** All of IPv6 that is given out: forms that embed IPv4 (`::/96`, mapped, NAT64) lie outside. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's host agent, which hands out a machine's secrets from an address that looks public. */
const HOST_AGENT = '168.63.129.16';

export function isPublic(address: string): boolean {
  const parsed = parse(address);
  if (parsed?.range() !== 'unicast') {
    return false;
  }
  return parsed.kind() === 'ipv6' ? parsed.match(GLOBAL_IPV6) : address !== HOST_AGENT;
}

const parse = (address: string): Address | undefined =>
  isIP(address) > 0 ? ipaddr.parse(address) : undefined;
