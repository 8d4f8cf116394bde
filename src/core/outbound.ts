/** A call of an address that a sub-account named. Redirects are never followed. */
export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'REPORT' | 'PROPFIND';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For all of it, from looking the name up to the last byte that is read. */
  readonly timeoutMs: number;
  /** The answer is complete with so many bytes of its body; the rest is left unread. */
  readonly readMaxBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Whether the peer may receive the request twice: a GET, or a POST that carries an id by which the
   * peer recognises a repeat. Others get a connection of their own, and are never sent again.
   */
  readonly isRepeatable: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  /** By lower-case name; of one that repeats, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** There was no answer, or only part of one. */
export interface OutboundFailure {
  /** The reason, worded for the log of the sub-account that configured the address. */
  readonly failure: string;
  /** False only where no byte of the request was written: the peer cannot have acted on it. */
  readonly wasSent: boolean;
}

/** The one way out to addresses that a sub-account can name; it never reaches a private one. */
export interface Outbound {
  /** Why the URL may not be called, as far as it can be told now; looks its name up. */
  refusal(url: string): Promise<string | undefined>;
  /** Never rejects. */
  send(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure>;
  close(): Promise<void>;
}
