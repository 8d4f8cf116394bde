/** How patient a client is; each call may say otherwise. */
export interface Patience {
  /** How long one try may take, with its whole answer. 30 seconds unless given. */
  readonly timeoutMs?: number | undefined;
  /** How long a call may take with all its tries and waits. Two minutes unless given. */
  readonly totalTimeoutMs?: number | undefined;
  /** How often a call is tried at most. 5 times unless given; 1 means never again. */
  readonly maxTries?: number | undefined;
}

/** What the client is made of: to be replaced by a proxy's `fetch`, or in tests. */
export interface Runtime {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Resolves after so many milliseconds, or rejects with the reason of the signal. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** A number from 0 to 1, 1 excluded: how waits are spread. */
  readonly random?: (() => number) | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** What every call takes last. */
export interface CallOptions extends Patience {
  /** Ends the call, and its waits, at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Of a POST with a key: what makes repetitions of it one, for 24 hours. The client makes one for
   * each call; give your own where the call itself may be repeated, as by a job that runs again.
   */
  readonly idempotencyKey?: string | undefined;
}
