const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

interface Sent {
  readonly isOnNewConnection: boolean;
  readonly hasAnswerBegun: boolean;
  readonly isResent: boolean;
}

/**
 * Whether a request met a kept connection that its peer was just closing, so that it is sent once
 * more. Mostly nobody has read it by then, yet somebody can have: requests may arrive twice.
 * Failures to connect have no code.
 */
export const isStale = ({ code }: Error & { code?: string }, sent: Sent): boolean =>
  CLOSED.has(code ?? '') && !sent.isOnNewConnection && !sent.hasAnswerBegun && !sent.isResent;
