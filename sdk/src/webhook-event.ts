import type { CommonFields, EventFields, EventName } from './generated/event-fields.ts';

interface Fields extends EventFields {
  /** What `webhooks.test` sends: nothing but the common fields. */
  'webhook.test': unknown;
}

/**
 * Something that happened: a union that `event` tells apart, or the one event of a given name. There
 * may be names that are newer than this package, so let a `switch` have a `default`, which can take
 * what it gets as an `AnyEvent`.
 */
export type WebhookEvent<N extends EventName | 'webhook.test' = EventName | 'webhook.test'> = {
  [K in N]: {
    /** Stable: a repeated delivery, and the feed of events, have the same. */
    id: string;
    event: K;
    /** ISO 8601. */
    timestamp: string;
    data: CommonFields & Fields[K];
  };
}[N];

/** What every event is, whatever its name. */
export interface AnyEvent {
  id: string;
  event: string;
  timestamp: string;
  data: CommonFields & Record<string, unknown>;
}
