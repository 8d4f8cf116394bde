import type { Static } from 'typebox';
import { FORMATS } from '#core/schema/formats.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { subscriptionSchema } from './subscription.schema.ts';

const shape = s.response({ ...subscriptionSchema.properties, subAccountId: s.uuid() });
const record = recordSchema(shape, 's');

/** A subscription, and whose it is. */
export type ListedSubscription = Static<typeof shape>;

interface ListAllSubscriptionsInput {
  readonly id?: string | undefined;
  readonly subAccountId?: string | undefined;
}

/** Subscriptions wherever in the installation they are, newest first; none for an id of nothing. */
export async function listAllSubscriptions(
  view: View,
  { id, subAccountId }: ListAllSubscriptionsInput,
): Promise<ListedSubscription[]> {
  if ([id, subAccountId].some((one) => one !== undefined && !FORMATS['uuid']?.test(one))) {
    return [];
  }
  const rows = await view.texts(SURVEY, [id ?? null, subAccountId ?? null]);
  return rows.map((row) => JSON.parse(record.encode(row, 0)) as ListedSubscription);
}

const SURVEY = `select ${record.members}
  from sub_accounts a join webhook_subscriptions s on s.sub_account_id = a.id
  where a.deleted_at is null and s.deleted_at is null
    and ($1::uuid is null or s.id = $1) and ($2::uuid is null or a.id = $2)
  order by s.id desc`;
