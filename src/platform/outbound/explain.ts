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
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response is not as long as its Content-Length',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

const UNUSABLE_NAME = 'UNUSABLE_NAME';

/** An error of a name lookup whose message is shown as it is. */
export const unusable = (reason: string): Error & { code: string } =>
  Object.assign(new Error(reason), { code: UNUSABLE_NAME });

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
  const isTlsError = isTls && error.code !== UNUSABLE_NAME && !('syscall' in error);
  return BY_CODE[error.code ?? ''] ?? (isTlsError ? tlsFailure(error) : explainRequestError(error));
}

/** Returns why there is no complete response on a connection. */
export function explainRequestError(error: ConnectionError): string {
  const code = error.code ?? '';
  if (TLS_CODE.test(code)) {
    return tlsFailure(error);
  }
  if (error.name === 'HTTPParserError') {
    return 'the response is not HTTP/1.1';
  }
  return BY_CODE[code] ?? error.message;
}

const tlsFailure = ({ message, reason }: ConnectionError): string =>
  `TLS: ${typeof reason === 'string' ? reason : message}`;

export const durationText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);
