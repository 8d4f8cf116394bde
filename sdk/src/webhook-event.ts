import type { CommonFields, EventFields, EventName } from './generated/event-fields.ts';

interface Fields extends EventFields {
  /** The event of `webhooks.test`: the common fields only. */
  'webhook.test': unknown;
}

/**
 * An event: a union discriminated by `event`, or the event of a given name. There may be names that
 * are newer than this package, so give a `switch` a `default`, which can treat the event as an
 * `AnyEvent`.
 */
export type WebhookEvent<N extends EventName | 'webhook.test' = EventName | 'webhook.test'> = {
  [K in N]: {
    /** Stable: repeated deliveries and the event feed have the same id. */
    id: string;
    event: K;
    /** ISO 8601. */
    timestamp: string;
    data: CommonFields & Fields[K];
  };
}[N];

/** The common members of all events. */
export interface AnyEvent {
  id: string;
  event: string;
  timestamp: string;
  data: CommonFields & Record<string, unknown>;
}
