import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import { pageWithTotal, readPage } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { subscriptionRecord } from './subscription.store.ts';
import { SUBSCRIPTION_STATUSES } from './subscription.schema.ts';

export const subscriptionQuery = s.request({
  ...pageQuery,
  status: Type.Optional(s.oneOf(SUBSCRIPTION_STATUSES)),
});

/** Returns the subscriptions, newest first; a sub-account has at most a hundred. */
export async function findSubscriptions(
  view: View,
  query: Static<typeof subscriptionQuery>,
  after: string | undefined,
): Promise<Reply> {
  const { status = null } = query;
  const size = pageSize(query);
  const values = [view.subAccountId, status, after ?? null, size + 1];
  const rows = await view.texts(PAGE, values);
  const { data, total, next } = readPage(subscriptionRecord, rows, size);
  return { data, meta: { total }, next };
}

const LIVE = `webhook_subscriptions s
  where s.sub_account_id = $1 and s.deleted_at is null and ($2::text is null or s.status = $2)`;

const PAGE = pageWithTotal(
  `select count(*) from ${LIVE}`,
  `select ${subscriptionRecord.members} from ${LIVE} and ($3::uuid is null or s.id < $3)
   order by s.id desc limit $4`,
);
