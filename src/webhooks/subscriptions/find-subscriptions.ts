import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import { jsonText } from '#core/schema/json.ts';
import { recordSchema, type RecordSchema } from '#core/schema/record.ts';
import { pageWithTotal, readPage } from '#platform/database/pages.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { subscriptionRecord } from './subscription.store.ts';
import { SUBSCRIPTION_STATUSES, subscriptionSchema } from './subscription.schema.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { queryBuilder, queryWireRows } from '#platform/database/query-builder.ts';
import type { SubAccountTable } from '../../accounts/sub-accounts/sub-account.entity.ts';
import type { SubscriptionTable } from './subscription.entity.ts';

export const subscriptionQuery = s.request({
  ...pageQuery,
  status: Type.Optional(s.oneOf(SUBSCRIPTION_STATUSES)),
});

/**
 * Returns the subscriptions, newest first; a sub-account has at most a hundred. `$1` in the SQL of the
 * record is the sub-account.
 */
export async function findSubscriptions(
  view: View,
  query: Static<typeof subscriptionQuery>,
  after: string | undefined,
  listed: RecordSchema = subscriptionRecord,
): Promise<Reply> {
  const { status = null } = query;
  const size = pageSize(query);
  const values = [view.subAccountId, status, after ?? null, size + 1];
  const page = await view.wirePage(pageOf(listed), values, size);
  const { data, total, next } = await readPage(view, listed, page);
  return { data, meta: { total }, next };
}

const LIVE = `webhook_subscriptions s
  where s.sub_account_id = $1 and s.deleted_at is null and ($2::text is null or s.status = $2)`;

const pageOf = ({ members }: RecordSchema): string =>
  pageWithTotal(
    `select count(*) from ${LIVE}`,
    `select ${members} from ${LIVE} and ($3::uuid is null or s.id < $3)
     order by s.id desc limit $4`,
  );

const schema = s.response({ ...subscriptionSchema.properties, subAccountId: s.uuid() });
const record = recordSchema(schema, 's');

/** A subscription with the id of its sub-account. */
export type ListedSubscription = Static<typeof schema>;

export interface ListAllSubscriptionsInput {
  readonly ids?: readonly string[] | undefined;
  readonly subAccountId?: string | undefined;
  /** Includes deleted ones, whose attempts are stored for 30 days. */
  readonly deleted?: boolean;
}

/** Returns subscriptions of all sub-accounts, newest first; none for an unknown or malformed id. */
export async function listAllSubscriptions(
  view: View,
  { ids, subAccountId, deleted = false }: ListAllSubscriptionsInput,
): Promise<ListedSubscription[]> {
  const given = [...(ids ?? []), ...(subAccountId === undefined ? [] : [subAccountId])];
  if (given.some((one) => !FORMATS['uuid']?.test(one))) {
    return [];
  }
  const { db, membersOf } = await queryBuilder<typeof SubscriptionTable | typeof SubAccountTable>();
  let subscriptions = db
    .selectFrom('sub_accounts as a')
    .innerJoin('webhook_subscriptions as s', 's.sub_account_id', 'a.id')
    .select(membersOf(record, view.subAccountId))
    .where('a.deleted_at', 'is', null);
  if (!deleted) {
    subscriptions = subscriptions.where('s.deleted_at', 'is', null);
  }
  if (ids !== undefined) {
    subscriptions = subscriptions.where('s.id', 'in', ids);
  }
  if (subAccountId !== undefined) {
    subscriptions = subscriptions.where('a.id', '=', subAccountId);
  }
  const rows = await queryWireRows(view, subscriptions.orderBy('s.id', 'desc'));
  return rows.map((row) => JSON.parse(jsonText(record.encode(row, 0))) as ListedSubscription);
}
