import { randomBytes } from 'node:crypto';
import { signatureHeaders, type SigningKeys } from '../deliveries/signature.ts';
import { eventData, type Account, type StoredEvent } from '../feed/event-body.ts';
import type { SubscriptionArguments } from '../subscriptions/subscription.entity.ts';

/** The subscription of an agent, whose receiver expects requests of SEP-3415. */
export interface AgentReceiver {
  readonly keyId: string;
  /** Its id in the protocol. */
  readonly handle: string;
  readonly arguments: SubscriptionArguments;
  readonly isExpired: boolean;
  /** Up to where the receiver has all events. */
  readonly cursor: string;
}

/** Selects the secret of a subscription before the body is read. */
export const SUBSCRIPTION_HEADER = 'x-mcp-subscription-id';

/** Returns the body that delivers an event to an agent: an occurrence of SEP-3415. */
export const occurrenceBody = (
  account: Account,
  event: StoredEvent & { readonly eventId: string },
  cursor: string,
): string =>
  `{"eventId":"${event.eventId}","name":${JSON.stringify(event.name)},` +
  `"timestamp":"${event.occurredAt.toISOString()}","data":${eventData(account, event)},` +
  `"cursor":${JSON.stringify(cursor)}}`;

interface ControlInput {
  readonly type: 'verification' | 'terminated';
  readonly handle: string;
  readonly userAgent: string;
  readonly keys: SigningKeys;
  readonly now: Date;
}

/** Returns a request to the receiver of an agent that is about its subscription, not an event. */
export function controlRequest(
  { type, handle, userAgent, keys, now }: ControlInput,
  members: object,
): { readonly body: string; readonly headers: Record<string, string> } {
  const body = JSON.stringify({ type, ...members });
  const eventId = `msg_${type}_${randomBytes(12).toString('hex')}`;
  const signed = { eventId, body, timestampMs: now.getTime() };
  return {
    body,
    headers: {
      ...signatureHeaders(keys, signed),
      'content-type': 'application/json',
      'user-agent': userAgent,
      [SUBSCRIPTION_HEADER]: handle,
    },
  };
}
