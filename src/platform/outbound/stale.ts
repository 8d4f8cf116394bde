const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

interface SentRequest {
  readonly isOnNewConnection: boolean;
  readonly hasAnswerBegun: boolean;
  readonly isResent: boolean;
}

/**
 * Whether a request failed because its peer was just closing the kept connection. The peer may still
 * have read the request, so only a repeatable one may be sent again. Failures to connect have no code.
 */
export const isStale = ({ code }: Error & { code?: string }, sent: SentRequest): boolean =>
  CLOSED.has(code ?? '') && !sent.isOnNewConnection && !sent.hasAnswerBegun && !sent.isResent;
