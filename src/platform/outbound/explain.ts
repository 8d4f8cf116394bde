/** An error of connecting or of a request. */
interface ConnectionError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly reason?: unknown;
}

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  EADDRNOTAVAIL: 'the host cannot be reached',
  ETIMEDOUT: 'the host does not respond',
};

const UNUSABLE_NAME = 'UNUSABLE_NAME';

const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS';

/** An error of a name lookup whose message is shown as it is. */
export const unusable = (reason: string): Error & { code: string } =>
  Object.assign(new Error(reason), { code: UNUSABLE_NAME });

/** An error of a host whose addresses may not be connected to. */
export const privateAddress = (reason: string): Error & { code: string } =>
  Object.assign(new Error(reason), { code: PRIVATE_ADDRESS });

/** Whether no connection was made because the address is private and not allowed. */
export const isPrivateAddress = (error: Error & { readonly code?: unknown }): boolean =>
  error.code === PRIVATE_ADDRESS || (error.cause instanceof Error && isPrivateAddress(error.cause));

const TLS_CODE = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/;

/** Returns why no connection was made. Certificate errors have no `syscall`. */
export function explainConnectError(
  error: ConnectionError,
  timeoutMs: number,
  isTls: boolean,
): string {
  if (error.code === 'UND_ERR_CONNECT_TIMEOUT') {
    return `could not connect within ${durationText(timeoutMs)}`;
  }
  const isOwn = error.code === UNUSABLE_NAME || error.code === PRIVATE_ADDRESS;
  const isTlsError = isTls && !isOwn && !('syscall' in error);
  return BY_CODE[error.code ?? ''] ?? (isTlsError ? tlsFailure(error) : explainRequestError(error));
}

/** Returns why there is no complete response on a connection. */
export function explainRequestError(error: ConnectionError): string {
  const code = error.code ?? '';
  if (TLS_CODE.test(code)) {
    return tlsFailure(error);
  }
  return BY_CODE[code] ?? error.message;
}

const tlsFailure = ({ message, reason }: ConnectionError): string =>
  `TLS: ${typeof reason === 'string' ? reason : message}`;

export const durationText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

/** `status` is 0 while no response has begun. */
export const explainTimeout = (status: number, timeoutMs: number): string =>
  status >= 200
    ? `the response did not end within ${durationText(timeoutMs)}`
    : `no response within ${durationText(timeoutMs)}`;
