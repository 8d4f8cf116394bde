/** What the environment sets for the slices, in milliseconds. */
export interface Settings {
  /** The public address, for what is told to providers and written to people. */
  readonly baseUrl: string;
  /** Waits before the second and each further attempt to deliver a webhook. */
  readonly webhookRetries: readonly number[];
  readonly webhookTimeout: number;
  /** Waits before the second and each further attempt to hand a message to its provider. */
  readonly sendRetries: readonly number[];
  /** CIDRs of private networks that sub-accounts may name all the same. */
  readonly outboundAllow: readonly string[] | undefined;
}
