/**
 * Wakes the readers of a topic in every process: at once if the notification arrives, within seconds
 * if it is lost. A wake-up means that there may be news; it does not carry them.
 */
export interface Notifications {
  /** Returns a function that stops watching. */
  watch(topic: string, wake: () => void): () => void;
}
