/** A request to an address that a sub-account configured. Redirects are never followed. */
export interface OutboundRequest {
  /** Sub-accounts share the connections to an origin. AGENCY for requests of the installation. */
  readonly subAccountId: string;
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'REPORT' | 'PROPFIND';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * In total, from the DNS lookup to the last byte of the body. A request whose sub-account uses its share
   * of connections to the origin first waits for one, at most as long again.
   */
  readonly timeoutMs: number;
  /** Between the request and its response, and between two parts of the response. Default: `timeoutMs`. */
  readonly idleTimeoutMs?: number;
  /** Bytes of the response body to read; the rest is discarded. */
  readonly readMaxBytes: number;
  /** Called once more than 64 KiB of the body have arrived. The rest is read when it resolves. */
  readonly makeRoom?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /**
   * Whether the peer may receive the request twice: a GET, or a POST with an id by which the peer detects
   * a repeat. Other requests use a new connection and are never sent again.
   */
  readonly isRepeatable: boolean;
  /**
   * Whether http:// may reach public addresses, as for calendar feeds. Other requests use http:// only
   * where every address of the host is in FRONTDESK_OUTBOUND_ALLOW.
   */
  readonly isPlainPublic?: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  /** By lower-case name; the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** There was no complete response. */
export interface OutboundFailure {
  /** The reason, for the log of the sub-account. */
  readonly failure: string;
  /** False if no byte of the request was written: the peer cannot have acted on it. */
  readonly wasSent: boolean;
  /** The address is private, and FRONTDESK_OUTBOUND_ALLOW does not allow it. */
  readonly isPrivate?: boolean;
  /** Not sent, as the sub-account used its share of connections to the origin: says nothing about the peer. */
  readonly hadNoConnection?: boolean;
}

/** All requests to addresses of sub-accounts go through this; it never reaches a private address. */
export interface Outbound {
  /** Resolves the host name. Returns why the URL may not be called, or undefined. */
  refusal(url: string): Promise<string | undefined>;
  /** Never rejects. */
  send(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure>;
  close(): Promise<void>;
}
