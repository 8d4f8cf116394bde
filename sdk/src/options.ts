/** Timeouts and attempts of a client; each call may override them. */
export interface Patience {
  /** The time limit of one attempt, including its response. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** The time limit of a call with all attempts and waits. Default: two minutes. */
  readonly totalTimeoutMs?: number | undefined;
  /** The maximum number of attempts. Default: 5; 1 disables retries. */
  readonly maxTries?: number | undefined;
}

/** Dependencies, to be replaced by a proxy's `fetch`, or in tests. */
export interface Runtime {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Resolves after this number of milliseconds, or rejects with the signal's reason. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns a number from 0 to 1 (exclusive), to spread waits. */
  readonly random?: (() => number) | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** The last parameter of every call. */
export interface CallOptions extends Patience {
  /** Ends the call and its waits at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * For a keyed POST: repeats with the same value count once, for 24 hours. The client generates
   * one per call. Give your own if the call itself may be repeated, for example by a job that runs
   * again.
   */
  readonly idempotencyKey?: string | undefined;
}
