import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { subscriptionSchema } from './subscription.schema.ts';

/** Subscription `s` as every endpoint shows it: without its secret. */
export const subscriptionRecord = recordSchema(subscriptionSchema, 's');

export const readSubscription = readerOf('webhook subscription', {
  table: 'webhook_subscriptions',
  alias: 's',
  record: subscriptionRecord,
});
export const theSubscription = answerOf(readSubscription);
