import { randomBase62 } from '../../accounts/keys/key-value.ts';
import { answerOf, readerOf, lockerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { subscriptionSchema } from './subscription.schema.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { Subscription } from './subscription.entity.ts';

/** Subscription `s` as every endpoint returns it: without its secret. */
export const subscriptionRecord = recordSchema(subscriptionSchema, 's');

export const readSubscription = readerOf('webhook subscription', {
  table: 'webhook_subscriptions',
  alias: 's',
  record: subscriptionRecord,
});
export const theSubscription = answerOf(readSubscription);

/** The parameters and the check of paths with only the id of a subscription. */
export const ofSubscription = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readSubscription(view, id),
};

export const lockSubscription = lockerOf<Subscription>('webhook subscription', Subscription);

/** 238 bits of randomness. */
const CHARACTERS = 40;

/** Returns a new signing secret with its prefix. */
export const newSecret = (): string => `whsec_${randomBase62(CHARACTERS)}`;

/** Returns the context to which the secrets of a subscription are sealed. */
export const secretPlace = (subscriptionId: string): string =>
  `webhook_subscriptions/${subscriptionId}/secret`;
