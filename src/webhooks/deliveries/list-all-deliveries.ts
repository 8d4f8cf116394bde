import type { Static } from 'typebox';
import { FORMATS } from '#core/schema/formats.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { deliverySchema } from './delivery.schema.ts';

const shape = s.response({
  ...deliverySchema.properties,
  subscriptionId: s.uuid(),
  subAccountId: s.uuid(),
});
const record = recordSchema(shape, 'd');

/** An attempt, and whose it is. */
export type ListedDelivery = Static<typeof shape>;

/** Which attempts are wanted: all of them where nothing is said. */
export interface DeliveryFilter {
  readonly subAccountId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly failed?: boolean | undefined;
}

/** The last attempts wherever in the installation they are, newest first. */
export const listAllDeliveries = (
  view: View,
  filter: DeliveryFilter,
  limit: number,
): Promise<ListedDelivery[]> => readDeliveries(view, LAST, [...filterValues(filter), limit]);

/** One attempt; nothing for an id of nothing. */
export async function listDelivery(view: View, id: string): Promise<ListedDelivery | undefined> {
  const [row] = FORMATS['uuid']?.test(id) ? await readDeliveries(view, ONE, [id]) : [];
  return row;
}

/** Reads with a statement whose rows are `surveyedMembers`. */
export async function readDeliveries(
  view: View,
  text: string,
  values: readonly unknown[],
): Promise<ListedDelivery[]> {
  const rows = await view.texts(text, values);
  return rows.map((row) => JSON.parse(record.encode(row, 0)) as ListedDelivery);
}

/** What a statement selects of attempt `d`. */
export const listedMembers = record.members;

/** `$1` to `$3` of a statement that has `OWNER`, `OWN` and `WANTED`. */
export const filterValues = ({ subAccountId, subscriptionId, failed }: DeliveryFilter) => [
  subAccountId ?? null,
  subscriptionId ?? null,
  failed ?? false,
];

/** No index has the attempts of all sub-accounts in one order: each is asked for its own. */
export const OWNER = `sub_accounts a where a.deleted_at is null and ($1::uuid is null or a.id = $1)`;

export const OWN = `d.sub_account_id = a.id and ($2::uuid is null or d.subscription_id = $2)`;

export const WANTED = `(not $3::boolean or d.status = 'failed')`;

const LAST = `select ${listedMembers}
  from (select a.id from ${OWNER}) as a
  cross join lateral (
    select * from webhook_deliveries d
    where ${OWN} and ${WANTED}
    order by d.id desc limit $4
  ) as d
  order by d.id desc limit $4`;

const ONE = `select ${listedMembers}
  from sub_accounts a join webhook_deliveries d on d.sub_account_id = a.id
  where a.deleted_at is null and d.id = $1`;
