import { LockMode } from '@mikro-orm/core';
import { MINUTE_MS } from '#lib/duration.ts';
import { newId } from '#lib/id.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { deleteSubscription } from '../subscriptions/delete-subscription.ts';
import { NEW, refuseTooMany } from '../subscriptions/create-subscription.ts';
import { Subscription, type SubscriptionArguments } from '../subscriptions/subscription.entity.ts';
import { secretPlace } from '../subscriptions/subscription.store.ts';
import { queueDelivery } from '../deliveries/webhooks.jobs.ts';
import { headPosition } from '../feed/find-events.ts';

/** How long deliveries are also signed with a replaced secret. */
const GRACE_MS = 5 * MINUTE_MS;

/** What an agent follows, and where it wants to be called. */
export interface AgentSubscription {
  readonly keyId: string;
  readonly handle: string;
  readonly name: string;
  readonly arguments: SubscriptionArguments;
  readonly url: string;
  readonly secret: string;
  readonly description: string;
  readonly expiresAt: Date | null;
  /** Events after this position are wanted; undefined for those from now on. */
  readonly from: number | undefined;
}

/** The subscription before a refresh. */
export interface SavedSubscription {
  readonly id: string;
  /** Undefined if the subscription is new. */
  readonly before?: Pick<Subscription, 'status' | 'lastDeliveryAt' | 'failingSince'>;
}

/** Subscribes an agent, or refreshes its subscription. The receiver has confirmed that it wants events. */
export async function saveAgentSubscription(
  work: Work,
  secrets: Secrets,
  wanted: AgentSubscription,
): Promise<SavedSubscription> {
  work.retryOn('webhook_subscriptions_handle');
  const known = await lockByHandle(work, wanted.handle);
  if (known && !hasExpired(known, work.now)) {
    const { status, lastDeliveryAt, failingSince } = known;
    refresh(work, secrets, known, wanted);
    return { id: known.id, before: { status, lastDeliveryAt, failingSince } };
  }
  if (known) {
    await deleteSubscription(work, known.id);
    await work.em.flush();
  }
  return { id: await create(work, secrets, wanted) };
}

async function create(
  work: Work,
  secrets: Secrets,
  { name, from, secret, ...wanted }: AgentSubscription,
): Promise<string> {
  const { em, subAccountId, now } = work;
  const id = newId(now);
  // `headPosition` takes the publisher's lock, which also serialises the count below.
  const head = await headPosition(work);
  await refuseTooMany(work, true);
  const sealed = secrets.seal(secret, secretPlace(id));
  em.persist(
    em.create(Subscription, {
      ...NEW,
      ...wanted,
      subAccountId,
      id,
      events: [name],
      secret: sealed,
      position: Math.min(head, from ?? head),
      createdAt: now,
      updatedAt: now,
    }),
  );
  work.audit(id);
  if (from !== undefined && from < head) {
    queueDelivery(work, id);
  }
  return id;
}

/** Extends the lifetime, and resumes deliveries. An active subscription keeps its position. */
function refresh(
  work: Work,
  secrets: Secrets,
  subscription: Subscription,
  { secret, expiresAt, description, from }: AgentSubscription,
): void {
  const { now } = work;
  const place = secretPlace(subscription.id);
  const isOtherSecret = secrets.open(Buffer.from(subscription.secret), place) !== secret;
  const isSuspended = subscription.status === 'disabled';
  Object.assign(subscription, { expiresAt, description });
  if (isOtherSecret) {
    subscription.previousSecret = subscription.secret;
    subscription.previousUntil = new Date(now.getTime() + GRACE_MS);
    subscription.secret = secrets.seal(secret, place);
  }
  if (isSuspended) {
    Object.assign(subscription, {
      ...RESUMED,
      position: Math.min(subscription.position, from ?? subscription.position),
    });
    queueDelivery(work, subscription.id);
  }
  if (isOtherSecret || isSuspended) {
    subscription.updatedAt = now;
    work.audit(subscription.id);
  }
}

const RESUMED = {
  status: 'active',
  disabledReason: null,
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
} as const;

/** Ends the subscription of an agent. Returns whether there was one. */
export async function endByHandle(work: Work, handle: string): Promise<boolean> {
  const known = await lockByHandle(work, handle);
  if (known) {
    await deleteSubscription(work, known.id);
  }
  return known !== undefined && !hasExpired(known, work.now);
}

async function lockByHandle(work: Work, handle: string): Promise<Subscription | undefined> {
  const { em, subAccountId } = work;
  const found = await em.findOne(
    Subscription,
    { subAccountId, handle, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  return found ?? undefined;
}

const hasExpired = ({ expiresAt }: Subscription, now: Date): boolean =>
  expiresAt instanceof Date && expiresAt <= now;

/** Returns whether the receiver at a URL has confirmed that it wants the events of a key. */
export async function isConfirmed(view: View, keyId: string, url: string): Promise<boolean> {
  const found = await view.rows(CONFIRMED, [view.subAccountId, keyId, url, view.now]);
  return found.length > 0;
}

const CONFIRMED = `select from webhook_subscriptions
  where sub_account_id = $1 and key_id = $2 and url = $3 and deleted_at is null
    and (expires_at is null or expires_at > $4)
  limit 1`;
