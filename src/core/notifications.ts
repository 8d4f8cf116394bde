/**
 * Wakes the readers of a topic in every process: at once where the notification arrives, within
 * seconds where it is lost. A wake-up means that there may be something new, never what.
 */
export interface Notifications {
  /** Returns a function that stops watching. */
  watch(topic: string, wake: () => void): () => void;
}
