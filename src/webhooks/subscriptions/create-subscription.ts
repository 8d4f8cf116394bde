import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { newSecret, secretPlace } from './subscription.store.ts';
import { headPosition } from '../feed/find-events.ts';
import { Subscription } from './subscription.entity.ts';
import { refuseMixedEvents, type SubscriptionCreate } from './subscription.schema.ts';

export const SUBSCRIPTIONS_MAX = 100;

/** `secret` is returned only once. */
export interface CreatedSubscription {
  readonly id: string;
  readonly secret: string;
}

/** Subscribes a URL, which the caller has checked, to events from now on. */
export async function createSubscription(
  work: Work,
  secrets: Secrets,
  { url, events, description = null }: SubscriptionCreate,
): Promise<CreatedSubscription> {
  refuseMixedEvents(events);
  const { em, subAccountId, now } = work;
  const id = newId(now);
  const secret = newSecret();
  // `headPosition` takes the publisher's lock, which also serialises the count below.
  const position = await headPosition(work);
  await refuseTooMany(work);
  const sealed = secrets.seal(secret, secretPlace(id));
  em.persist(
    em.create(Subscription, {
      ...NEW,
      subAccountId,
      id,
      url,
      events,
      description,
      secret: sealed,
      position,
      createdAt: now,
      updatedAt: now,
    }),
  );
  work.audit(id);
  return { id, secret };
}

/** A subscription of the API before its first delivery. */
export const NEW = {
  status: 'active',
  disabledReason: null,
  previousSecret: null,
  previousUntil: null,
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
  lastDeliveryAt: null,
  lastSuccessAt: null,
  deletedAt: null,
  keyId: null,
  handle: null,
  arguments: null,
  expiresAt: null,
} as const;

/** Throws if there are too many. Those of agents count apart: an agent must not use up the others. */
export async function refuseTooMany(work: Work, isOfAgent = false): Promise<void> {
  const values = [work.subAccountId, isOfAgent, work.now];
  const [live] = await work.rows<{ count: number }>(COUNT_LIVE, values);
  if ((live?.count ?? 0) >= SUBSCRIPTIONS_MAX) {
    const kind = isOfAgent ? 'subscriptions of agents' : 'webhook subscriptions';
    throw new Fault(
      'VALIDATION_ERROR',
      `the sub-account already has ${SUBSCRIPTIONS_MAX} ${kind}, which is the limit; delete one first`,
      { reason: 'too_many_subscriptions' },
    );
  }
}

const COUNT_LIVE = `select count(*) from webhook_subscriptions
  where sub_account_id = $1 and deleted_at is null and (key_id is not null) = $2
    and (expires_at is null or expires_at > $3)`;
