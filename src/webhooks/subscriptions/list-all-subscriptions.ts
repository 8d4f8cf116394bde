import type { Static } from 'typebox';
import { FORMATS } from '#core/schema/formats.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { subscriptionSchema } from './subscription.schema.ts';

const schema = s.response({ ...subscriptionSchema.properties, subAccountId: s.uuid() });
const record = recordSchema(schema, 's');

/** A subscription with the id of its sub-account. */
export type ListedSubscription = Static<typeof schema>;

interface ListAllSubscriptionsInput {
  readonly id?: string | undefined;
  readonly subAccountId?: string | undefined;
}

/** Subscriptions of all sub-accounts, newest first; none for an unknown or malformed id. */
export async function listAllSubscriptions(
  view: View,
  { id, subAccountId }: ListAllSubscriptionsInput,
): Promise<ListedSubscription[]> {
  if ([id, subAccountId].some((one) => one !== undefined && !FORMATS['uuid']?.test(one))) {
    return [];
  }
  const rows = await view.texts(LIST_ALL, [id ?? null, subAccountId ?? null]);
  return rows.map((row) => JSON.parse(record.encode(row, 0)) as ListedSubscription);
}

const LIST_ALL = `select ${record.members}
  from sub_accounts a join webhook_subscriptions s on s.sub_account_id = a.id
  where a.deleted_at is null and s.deleted_at is null
    and ($1::uuid is null or s.id = $1) and ($2::uuid is null or a.id = $2)
  order by s.id desc`;
