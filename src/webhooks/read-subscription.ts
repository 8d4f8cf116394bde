import { answerOf, readerOf } from '#kit/live-records.ts';
import { recordShape } from '#kit/record.ts';
import { subscriptionShape } from './subscription.shape.ts';

/** Subscription `s` as every endpoint shows it: without its secret. */
export const subscriptionRecord = recordShape(subscriptionShape, 's');

export const readSubscription = readerOf('webhook subscription', {
  table: 'webhook_subscriptions',
  alias: 's',
  record: subscriptionRecord,
});
export const theSubscription = answerOf(readSubscription);
