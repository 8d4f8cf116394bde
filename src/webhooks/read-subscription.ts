import type { Answer } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import type { Json } from '#kit/json.ts';
import { recordShape } from '#kit/record.ts';
import type { PointRead, View } from '#kit/work.ts';
import { subscriptionShape } from './subscription.shape.ts';

/** Subscription `s` as every endpoint shows it: without its secret. */
export const subscriptionRecord = recordShape(subscriptionShape, 's');

const SUBSCRIPTION: PointRead = {
  record: subscriptionRecord,
  text: `select wanted.n, ${subscriptionRecord.members}
    from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (sub_account_id, id, n)
    join webhook_subscriptions s on s.sub_account_id = wanted.sub_account_id and s.id = wanted.id
    where s.deleted_at is null`,
};

export async function readSubscription(view: View, id: string): Promise<Json> {
  const subscription = await view.point(SUBSCRIPTION, id);
  if (!subscription) {
    throw notFound('webhook subscription');
  }
  return subscription;
}

/** Answers a change with the subscription as it is after it. */
export const theSubscription =
  (id: string): Answer =>
  (view) =>
    readSubscription(view, id);
