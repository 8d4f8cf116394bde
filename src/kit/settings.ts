/** What the environment sets for the slices, in milliseconds. */
export interface Settings {
  /** Waits before the second and each further attempt to deliver a webhook. */
  readonly webhookRetries: readonly number[];
  readonly webhookTimeout: number;
}
