/** One server-sent event. */
export interface StreamEvent {
  /** What a reader names as `Last-Event-ID` when it comes again. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Wakes whoever follows a topic, across all processes: at once where the notice is heard, within
 * seconds where it is lost. A wake says that there may be something new, never what.
 */
export interface Notifications {
  /** Answers how to stop. */
  watch(topic: string, wake: () => void): () => void;
}
