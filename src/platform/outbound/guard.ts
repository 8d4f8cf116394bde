import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { explainConnectError, privateAddress, unusable } from './explain.ts';
import { findAddresses, type Lookup } from './lookup.ts';

/**
 * Returns why a URL may not be stored for later requests, or undefined. A name that does not resolve
 * now is accepted with https://: it is looked up again for every connection.
 */
export async function urlRefusal(
  url: string,
  allow: AllowList,
  lookup: Lookup,
): Promise<string | undefined> {
  const target = readTarget(url, ['https:', 'http:']);
  if (typeof target === 'string') {
    return target;
  }
  const { hostname } = target;
  const isPlain = target.origin.startsWith('http:');
  if (isLiteral(hostname)) {
    const refusal = addressRefusal(hostname, allow);
    return refusal === undefined
      ? literalRefusal(hostname, allow, isPlain)
      : `${refusal}; ${allowHint(hostname)}`;
  }
  const addresses = await findAddresses(hostname, lookup);
  if (isPlain && addresses.length === 0 && !isLocalName(hostname)) {
    return `${doesNotResolve(hostname)}, and ${PLAIN_RULE}`;
  }
  if (isPlain && usableAddresses(addresses, allow).length > 0) {
    return areAllAllowed(addresses, allow) ? undefined : plainRefusal(hostname);
  }
  const isUnknown = addresses.length === 0 && !isLocalName(hostname);
  return isUnknown || usableAddresses(addresses, allow).length > 0
    ? undefined
    : `${notPublic(hostname)}; ${allowHint(hostname)}`;
}

/** Says how to reach this machine, or a private network; does not tell where a name leads. */
const allowHint = (hostname: string): string =>
  isLocalName(hostname) || parse(hostname)?.range() === 'loopback' ? LOCAL_HINT : NETWORK_HINT;

const LOCAL_HINT =
  'to receive events on your own machine, run frontdesk webhook listen, or have the operator allow its network: FRONTDESK_OUTBOUND_ALLOW=127.0.0.0/8,::1/128 npm start';

const NETWORK_HINT =
  'the operator can allow its network with FRONTDESK_OUTBOUND_ALLOW, for example 10.0.0.0/8';

const PLAIN_RULE =
  'http:// is only allowed if every address of the host is in FRONTDESK_OUTBOUND_ALLOW; use https://';

/** Returns the refusal of http:// to a host that https:// may reach. */
const plainRefusal = (hostname: string): string => `${PLAIN_RULE} for ${hostname}`;

const areAllAllowed = (addresses: readonly LookupAddress[], allow: AllowList): boolean =>
  addresses.every(({ address }) => isAllowed(address, allow));

/** How long to wait for an address before the next one is tried; Node's 250 ms are too short across an ocean. */
const ADDRESS_TIMEOUT_MS = 1_000;

export interface GuardOptions {
  readonly allow: AllowList;
  readonly lookup: Lookup;
  readonly timeoutMs: number;
}

/**
 * Connects to checked addresses only: a name is resolved once, its addresses are checked, and the
 * socket gets exactly those (no DNS rebinding). Fails with the message for the caller. http:// only
 * reaches networks that the operator allows, unless `isPlainPublic` is set.
 */
export function guardConnector(
  build: typeof buildConnector,
  { isPlainPublic = false, ...guard }: GuardOptions & { readonly isPlainPublic?: boolean },
): buildConnector.connector {
  const { allow, timeoutMs } = guard;
  const settings = {
    allowH2: false,
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  };
  const connectAnywhere = build({ ...settings, lookup: checkedLookup(guard, false) });
  const connectInside = build({ ...settings, lookup: checkedLookup(guard, true) });
  return (options, callback) => {
    const isTls = options.protocol === 'https:';
    const mustBeAllowed = !isTls && !isPlainPublic;
    // The socket does not look up an IP address in place of a name.
    const refusal = isLiteral(options.hostname)
      ? refusedLiteral(options.hostname, allow, mustBeAllowed)
      : undefined;
    if (refusal) {
      queueMicrotask(() => callback(refusal, null));
      return;
    }
    const connect = mustBeAllowed ? connectInside : connectAnywhere;
    // The URL names the server: undici would take the TLS name from a Host header.
    connect({ ...options, servername: '' }, (error, socket) => {
      if (error) {
        callback(new Error(explainConnectError(error, timeoutMs, isTls), { cause: error }), null);
      } else {
        callback(null, socket);
      }
    });
  };
}

/** `mustBeAllowed`: every address has to be in a network that the operator allows. */
function checkedLookup(guard: GuardOptions, mustBeAllowed: boolean): LookupFunction {
  const find = callbackify((hostname: string) => findUsable(hostname, guard, mustBeAllowed));
  return (hostname, _options, callback) => {
    find(hostname, (error, addresses) => callback(error, addresses ?? []));
  };
}

async function findUsable(
  hostname: string,
  { allow, lookup }: GuardOptions,
  mustBeAllowed: boolean,
): Promise<LookupAddress[]> {
  const addresses = await lookup(hostname).catch(() => []);
  const usable = usableAddresses(addresses, allow);
  if (addresses.length === 0) {
    throw unusable(doesNotResolve(hostname));
  }
  if (usable.length === 0) {
    throw privateAddress(notPublic(hostname));
  }
  if (mustBeAllowed && !areAllAllowed(addresses, allow)) {
    throw unusable(plainRefusal(hostname));
  }
  return [...usable];
}

/** Returns the error of connecting to an IP address that is refused. */
function refusedLiteral(
  address: string,
  allow: AllowList,
  mustBeAllowed: boolean,
): Error | undefined {
  const reason = addressRefusal(address, allow);
  if (reason !== undefined) {
    return privateAddress(reason);
  }
  const plain = literalRefusal(address, allow, mustBeAllowed);
  return plain === undefined ? undefined : new Error(plain);
}

const literalRefusal = (
  address: string,
  allow: AllowList,
  mustBeAllowed: boolean,
): string | undefined =>
  addressRefusal(address, allow) ??
  (mustBeAllowed && !isAllowed(address, allow) ? plainRefusal(address) : undefined);

const doesNotResolve = (hostname: string): string => `the name ${hostname} does not resolve`;

/** The parts of a URL that a request needs. */
export interface Target {
  readonly origin: string;
  /** With the port, as in a Host header. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
  /** An IPv6 address has no brackets here. */
  readonly hostname: string;
}

/** Parses a URL. Returns a text that says why it can never be called, if so. */
export function readTarget(url: string, protocols: readonly string[]): Target | string {
  if (!URL.canParse(url)) {
    return 'the URL is not valid';
  }
  const { protocol, username, password, hostname, port, origin, pathname, search, host } = new URL(
    url,
  );
  if (!protocols.includes(protocol)) {
    return `the URL does not begin with ${protocols.map((one) => `${one}//`).join(' or ')}`;
  }
  if (username !== '' || password !== '') {
    return 'the URL contains a user name or a password';
  }
  if (port === '0') {
    return 'the URL has port 0';
  }
  return { origin, host, path: pathname + search, hostname: hostname.replace(/^\[(.*)\]$/, '$1') };
}

/** The URL parser has normalized the other spellings (decimal, octal, hexadecimal, short). */
const isLiteral = (hostname: string): boolean => isIP(hostname) > 0;

const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/.test(hostname);

/**
 * Returns the addresses of a name that may be called: those that the operator allows or, if there are
 * none, all addresses if all are public. A name with public and private addresses is an attack.
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

/** Omits the address of a name: it would let callers map the operator's network. */
export const notPublic = (hostname: string): string =>
  isLiteral(hostname)
    ? `the address ${hostname} is not public`
    : `the name ${hostname} resolves to an address that is not public`;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Private networks that the operator allows. */
export type AllowList = readonly (readonly [Address, number])[];

/** Throws if an entry is not a CIDR. */
export const readAllowList = (networks: readonly string[]): AllowList =>
  networks.map((network) => ipaddr.parseCIDR(network));

/**
 * Returns why an address may not be called, if so. Accepts addresses as the system writes them;
 * spellings that only some parsers understand are refused.
 */
export const addressRefusal = (address: string, allow: AllowList): string | undefined =>
  isAllowed(address, allow) || isPublic(address)
    ? undefined
    : `the address ${address} is not public`;

/** An IPv4 network never contains an IPv6 address, not even an IPv4-mapped one. */
export function isAllowed(address: string, allow: AllowList): boolean {
  const parsed = parse(address);
  return (
    parsed !== undefined &&
    allow.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
  );
}

/** All assigned IPv6 addresses; forms that embed IPv4 (`::/96`, mapped, NAT64) lie outside. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Azure's host agent, which serves a machine's secrets at an address that looks public. */
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
