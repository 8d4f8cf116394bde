/** Schemes that run or show something in the browser, or send it elsewhere, instead of opening a program. */
const REFUSED_SCHEMES = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What an address says about where access is sent. */
export interface RedirectTarget {
  /** The host, or the scheme of a program that is installed on the device. */
  readonly host: string;
  /** The program runs on the device of the person: any other program there could claim to be it. */
  readonly isLocal: boolean;
}

/** Returns where a redirect leads; undefined if no redirect may lead there. */
export function redirectTarget(uri: string): RedirectTarget | undefined {
  const url = URL.parse(uri);
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') {
    return undefined;
  }
  const { protocol, hostname } = url;
  const isLoopback = LOOPBACK_HOSTS.has(hostname);
  if (protocol === 'https:') {
    return { host: url.host, isLocal: isLoopback };
  }
  if (protocol === 'http:') {
    return isLoopback ? { host: url.host, isLocal: true } : undefined;
  }
  return REFUSED_SCHEMES.has(protocol) ? undefined : { host: protocol, isLocal: true };
}

/**
 * Returns whether the client registered the address of a request. They must be equal, except
 * for the port on the loopback interface, which programs choose when they start (RFC 8252).
 */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  redirectTarget(uri) !== undefined &&
  registered.some((one) => one === uri || isSameButPort(one, uri));

function isSameButPort(registered: string, uri: string): boolean {
  const [one, other] = [withoutPort(registered), withoutPort(uri)];
  return one !== undefined && one === other;
}

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*|\?.*|)$/;

/** Returns an address on the loopback interface without its port; undefined for others. */
function withoutPort(uri: string): string | undefined {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? undefined : `${host}${rest}`;
}
