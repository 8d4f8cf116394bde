/** Errors of connecting and of talking, in words for whoever named the address. */
interface Failed {
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
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not as long as it says',
  UND_ERR_HEADERS_OVERFLOW: 'the head of the answer is too large',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

const UNUSABLE = 'UNUSABLE_NAME';

/** An error of looking a name up that says itself what is to be said. */
export const unusable = (reason: string): Error & { code: string } =>
  Object.assign(new Error(reason), { code: UNUSABLE });

const TLS_CODE = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/;

/** Why there is no connection. Errors of checking a certificate have no system call. */
export function explainNoConnection(error: Failed, timeoutMs: number, isTls: boolean): string {
  if (error.code === 'UND_ERR_CONNECT_TIMEOUT') {
    return `could not connect within ${seconds(timeoutMs)}`;
  }
  const isOfTls = isTls && error.code !== UNUSABLE && !('syscall' in error);
  return BY_CODE[error.code ?? ''] ?? (isOfTls ? tlsFailure(error) : explainFailure(error));
}

/** Why there is no whole answer on a connection. */
export function explainFailure(error: Failed): string {
  const code = error.code ?? '';
  if (TLS_CODE.test(code)) {
    return tlsFailure(error);
  }
  if (error.name === 'HTTPParserError') {
    return 'the answer is not HTTP/1.1';
  }
  return BY_CODE[code] ?? error.message;
}

const tlsFailure = ({ message, reason }: Failed): string =>
  `TLS: ${typeof reason === 'string' ? reason : message}`;

export const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);
