import { isDeepStrictEqual } from 'node:util';
import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { disableSubscription } from './disable.ts';
import { headPosition } from '../feed/find-events.ts';
import { lockSubscription } from './subscription.store.ts';
import type { Subscription } from './subscription.entity.ts';
import { refuseMixedEvents, type SubscriptionPatch } from './subscription.schema.ts';

/** The `disabledReason` of a subscription that a call disabled. */
export const BY_REQUEST = 'disabled by request';

/** Changes the given fields. Writes nothing if all values stay the same. */
export async function updateSubscription(
  work: Work,
  id: string,
  { status, ...fields }: SubscriptionPatch,
): Promise<void> {
  refuseMixedEvents(fields.events);
  const subscription = await lockSubscription(work, id);
  const isOther = Object.entries(fields).some(
    ([name, value]) => !isDeepStrictEqual(subscription[name as keyof typeof fields], value),
  );
  if (fields.url !== undefined || fields.events !== undefined) {
    refuseOfAgent(subscription);
  }
  const isSwitched = status !== undefined && status !== subscription.status;
  if (isOther) {
    Object.assign(subscription, fields);
  }
  if (isSwitched && status === 'active') {
    await enable(work, subscription);
  }
  if (isSwitched && status === 'disabled') {
    disableSubscription(work, id, BY_REQUEST);
  }
  if (isOther || isSwitched) {
    subscription.updatedAt = work.now;
    work.audit(id);
  }
}

/** Throws for a subscription of an agent: its receiver confirmed this address, and chose the secret. */
export function refuseOfAgent({ keyId }: Subscription): void {
  if (keyId !== null) {
    throw new Fault(
      'VALIDATION_ERROR',
      'an agent made this subscription over MCP, and only the agent can change it; disable or delete it instead',
      { reason: 'subscription_of_agent' },
    );
  }
}

/** Starts with new events: earlier ones are only sent by `delivery replay`. */
async function enable(work: Work, subscription: Subscription): Promise<void> {
  Object.assign(subscription, {
    status: 'active',
    disabledReason: null,
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    position: await headPosition(work),
  });
}
