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
}

export interface OutboundAnswer {
  readonly status: number;
  /** By lower-case name; of one that repeats, the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why there was no answer, in words for the log of whoever named the address. */
export interface OutboundFailure {
  readonly failure: string;
}

/** The one way out to addresses that a sub-account can name; it never reaches a private one. */
export interface Outbound {
  /** Why the URL may not be called, as far as it can be told now; looks its name up. */
  refusal(url: string): Promise<string | undefined>;
  /** Never rejects. */
  send(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure>;
  close(): Promise<void>;
}
