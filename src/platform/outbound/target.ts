import { isIP } from 'node:net';

/** Where a request goes, taken out of its URL. */
export interface Target {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  /** Of a literal IPv6 address without its brackets. */
  readonly hostname: string;
}

/** Reads a URL, or says why it cannot be called, wherever it leads. */
export function readTarget(url: string, protocols: readonly string[]): Target | string {
  if (!URL.canParse(url)) {
    return 'it is not a URL';
  }
  const { protocol, username, password, hostname, port, origin, pathname, search } = new URL(url);
  if (!protocols.includes(protocol)) {
    return `it does not begin with ${protocols.map((one) => `${one}//`).join(' or ')}`;
  }
  if (username !== '' || password !== '') {
    return 'it carries a user name or a password';
  }
  if (port === '0') {
    return 'nothing can be reached at port 0';
  }
  return { origin, path: pathname + search, hostname: hostname.replace(/^\[(.*)\]$/, '$1') };
}

/** The URL parser has read every other spelling (decimal, octal, hexadecimal, short) into these. */
export const isLiteral = (hostname: string): boolean => isIP(hostname) > 0;

export const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/.test(hostname);
