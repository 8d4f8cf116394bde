import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryWirePage } from '#platform/database/query-builder.ts';
import { textOf } from '#core/schema/wire-row.ts';
import type { DeliveryTable } from './delivery.entity.ts';
import { DELIVERY_STATUSES, TEST_EVENT } from './delivery.schema.ts';
import { deliveryRecord } from './delivery.store.ts';
import { listedDeliveryRecord } from './list-all-deliveries.ts';
import { readSubscription } from '../subscriptions/subscription.store.ts';
import { encodePage } from '#platform/database/pages.ts';

export const deliveryQuery = (eventNames: readonly string[]) =>
  s.request({
    ...pageQuery,
    status: Type.Optional(s.oneOf(DELIVERY_STATUSES)),
    event: Type.Optional(s.oneOf([...eventNames, TEST_EVENT])),
    eventId: Type.Optional(s.uuid()),
  });
type DeliveryQuery = Static<ReturnType<typeof deliveryQuery>>;

/** The filters of the attempts of all subscriptions. */
export const allDeliveriesQuery = (eventNames: readonly string[]) =>
  s.request({
    ...pageQuery,
    status: Type.Optional(s.oneOf(DELIVERY_STATUSES)),
    event: Type.Optional(s.oneOf([...eventNames, TEST_EVENT])),
    eventId: Type.Optional(s.uuid()),
    since: Type.Optional(s.instant()),
  });
type AllDeliveriesQuery = Static<ReturnType<typeof allDeliveriesQuery>>;

/** Returns the attempts of a subscription, newest first. */
export async function findDeliveries(
  view: View,
  subscriptionId: string,
  query: DeliveryQuery,
  after: string | undefined,
): Promise<Reply> {
  await readSubscription(view, subscriptionId);
  return readPage(view, { record: deliveryRecord, subscriptionId, query, after });
}

/** Returns the attempts of all subscriptions, newest first. */
export const findAllDeliveries = (
  view: View,
  query: AllDeliveriesQuery,
  after: string | undefined,
): Promise<Reply> => readPage(view, { record: listedDeliveryRecord, query, after });

interface PageInput {
  readonly record: typeof deliveryRecord;
  readonly subscriptionId?: string;
  readonly query: DeliveryQuery & Pick<AllDeliveriesQuery, 'since'>;
  readonly after: string | undefined;
}

async function readPage(view: View, input: PageInput): Promise<Reply> {
  const size = pageSize(input.query);
  const page = await queryWirePage(view, await pageOf(view, input, size), size);
  const { rows, hasMore } = page;
  return {
    data: await encodePage(view, input.record, page, 0),
    next: hasMore ? textOf(rows.at(-1), 0) : null,
  };
}

async function pageOf(
  view: View,
  { record, subscriptionId, query, after }: PageInput,
  size: number,
) {
  const { status, event, eventId, since } = query;
  const { db, sql, membersOf } = await queryBuilder<typeof DeliveryTable>();
  let page = db
    .selectFrom('webhook_deliveries as d')
    .select(membersOf(record, view.subAccountId))
    .where('d.sub_account_id', '=', view.subAccountId);
  if (subscriptionId !== undefined) {
    page = page.where('d.subscription_id', '=', subscriptionId);
  }
  if (since !== undefined) {
    page = page.where('d.created_at', '>=', new Date(since));
  }
  if (status !== undefined) {
    page = page.where('d.status', '=', status);
  }
  if (event !== undefined) {
    page = page.where('d.event', '=', event);
  }
  if (eventId !== undefined) {
    page = page.where('d.event_id', '=', eventId);
  }
  if (after !== undefined) {
    page = page.where('d.id', '<', after);
  }
  // One row more than the page shows whether another page follows.
  return page.orderBy('d.id', 'desc').limit(sql.lit(size + 1));
}
