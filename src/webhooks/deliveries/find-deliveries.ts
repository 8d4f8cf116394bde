import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import { json } from '#core/schema/json.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { DELIVERY_STATUSES, TEST_EVENT } from './delivery.schema.ts';
import { deliveryRecord } from './delivery.store.ts';
import { readSubscription } from '../subscriptions/subscription.store.ts';

export const deliveryQuery = (eventNames: readonly string[]) =>
  s.request({
    ...pageQuery,
    status: Type.Optional(s.oneOf(DELIVERY_STATUSES)),
    event: Type.Optional(s.oneOf([...eventNames, TEST_EVENT])),
    eventId: Type.Optional(s.uuid()),
  });
type DeliveryQuery = Static<ReturnType<typeof deliveryQuery>>;

/** The attempts of a subscription, newest first. */
export async function findDeliveries(
  view: View,
  subscriptionId: string,
  query: DeliveryQuery,
  after: string | undefined,
): Promise<Reply> {
  await readSubscription(view, subscriptionId);
  const values: unknown[] = [view.subAccountId, subscriptionId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = filtersOf(query, after, bind).join(' and ');
  const size = pageSize(query);
  const rows = await view.texts(
    `${LOG} and ${filters} order by d.id desc limit ${size + 1}`,
    values,
  );
  const shown = rows.slice(0, size);
  return {
    data: json(`[${shown.map((row) => deliveryRecord.encode(row, 0)).join(',')}]`),
    next: rows.length > size ? (shown.at(-1)?.[0] ?? null) : null,
  };
}

function filtersOf(
  { status, event, eventId }: DeliveryQuery,
  after: string | undefined,
  bind: (value: unknown) => string,
): string[] {
  const filters = [
    status !== undefined && `d.status = ${bind(status)}`,
    event !== undefined && `d.event = ${bind(event)}`,
    eventId !== undefined && `d.event_id = ${bind(eventId)}::uuid`,
    after !== undefined && `d.id < ${bind(after)}::uuid`,
  ];
  return ['true', ...filters.filter((filter) => filter !== false)];
}

const LOG = `select ${deliveryRecord.members} from webhook_deliveries d
  where d.sub_account_id = $1 and d.subscription_id = $2`;
