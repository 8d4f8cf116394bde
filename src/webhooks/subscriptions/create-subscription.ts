import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { newSecret, secretPlace } from './subscription.store.ts';
import { headPosition } from '../feed/find-events.ts';
import { Subscription } from './subscription.entity.ts';
import { refuseMixedEvents, type SubscriptionCreate } from './subscription.schema.ts';

const SUBSCRIPTIONS_MAX = 100;

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
  const subscription = em.create(Subscription, {
    subAccountId,
    id,
    url,
    events,
    description,
    status: 'active',
    disabledReason: null,
    secret: secrets.seal(secret, secretPlace(id)),
    previousSecret: null,
    previousUntil: null,
    position,
    consecutiveFailures: 0,
    failingSince: null,
    pausedUntil: null,
    lastDeliveryAt: null,
    lastSuccessAt: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  });
  em.persist(subscription);
  work.audit(id);
  return { id, secret };
}

async function refuseTooMany(work: Work): Promise<void> {
  const [live] = await work.rows<{ count: number }>(COUNT_LIVE, [work.subAccountId]);
  if ((live?.count ?? 0) >= SUBSCRIPTIONS_MAX) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the sub-account already has ${SUBSCRIPTIONS_MAX} webhook subscriptions, which is the limit; delete one first`,
      { reason: 'too_many_subscriptions' },
    );
  }
}

const COUNT_LIVE = `select count(*) from webhook_subscriptions
  where sub_account_id = $1 and deleted_at is null`;
