import type { Static } from 'typebox';
import { FORMATS } from '#core/schema/formats.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryTexts } from '#platform/database/query-builder.ts';
import type { SubAccountTable } from '../../accounts/sub-accounts/sub-account.entity.ts';
import type { SubscriptionTable } from './subscription.entity.ts';
import { subscriptionSchema } from './subscription.schema.ts';

const schema = s.response({ ...subscriptionSchema.properties, subAccountId: s.uuid() });
const record = recordSchema(schema, 's');

/** A subscription with the id of its sub-account. */
export type ListedSubscription = Static<typeof schema>;

interface ListAllSubscriptionsInput {
  readonly id?: string | undefined;
  readonly subAccountId?: string | undefined;
}

/** Returns subscriptions of all sub-accounts, newest first; none for an unknown or malformed id. */
export async function listAllSubscriptions(
  view: View,
  { id, subAccountId }: ListAllSubscriptionsInput,
): Promise<ListedSubscription[]> {
  if ([id, subAccountId].some((one) => one !== undefined && !FORMATS['uuid']?.test(one))) {
    return [];
  }
  const { db, membersOf } = await queryBuilder<typeof SubscriptionTable | typeof SubAccountTable>();
  let subscriptions = db
    .selectFrom('sub_accounts as a')
    .innerJoin('webhook_subscriptions as s', 's.sub_account_id', 'a.id')
    .select(membersOf(record))
    .where('a.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null);
  if (id !== undefined) {
    subscriptions = subscriptions.where('s.id', '=', id);
  }
  if (subAccountId !== undefined) {
    subscriptions = subscriptions.where('a.id', '=', subAccountId);
  }
  const rows = await queryTexts(view, subscriptions.orderBy('s.id', 'desc'));
  return rows.map((row) => JSON.parse(record.encode(row, 0)) as ListedSubscription);
}
