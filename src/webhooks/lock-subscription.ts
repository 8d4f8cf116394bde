import { LockMode } from '@mikro-orm/core';
import { notFound } from '#kit/fault.ts';
import type { Work } from '#kit/work.ts';
import { Subscription } from './subscription.entity.ts';

/** The live subscription, held against other writers until this work is done. */
export async function lockSubscription(
  { em, subAccountId }: Work,
  id: string,
): Promise<Subscription> {
  const subscription = await em.findOne(
    Subscription,
    { subAccountId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!subscription) {
    throw notFound('webhook subscription');
  }
  return subscription;
}
