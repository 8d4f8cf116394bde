import { AGENCY, firstIdAt } from '#lib/id.ts';
import type { Static } from 'typebox';
import { jsonText } from '#core/schema/json.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { deliverySchema } from './delivery.schema.ts';
import { COMPUTED } from './delivery.store.ts';

export const listedDeliverySchema = s.response({
  ...deliverySchema.properties,
  subscriptionId: s.uuid(),
  subAccountId: s.uuid(),
});
export const listedDeliveryRecord = recordSchema(listedDeliverySchema, 'd', COMPUTED);

/** An attempt with the ids of its subscription and sub-account. */
export type ListedDelivery = Static<typeof listedDeliverySchema>;

/** Selects attempts; an empty filter selects all of them. */
export interface DeliveryFilter {
  readonly subAccountId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly failed?: boolean | undefined;
}

/** Returns the last attempts of all sub-accounts, newest first. */
export const listAllDeliveries = (
  view: View,
  filter: DeliveryFilter,
  limit: number,
): Promise<ListedDelivery[]> => readDeliveries(view, LAST, [...filterValues(filter), limit]);

/**
 * Returns one attempt of the view's sub-account, or of any in a view of the agency; undefined for an unknown
 * or malformed id.
 */
export async function listDelivery(view: View, id: string): Promise<ListedDelivery | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [row] = await (view.subAccountId === AGENCY
    ? readDeliveries(view, ONE, [id])
    : readDeliveries(view, `${ONE} and d.sub_account_id = $2`, [id, view.subAccountId]));
  return row;
}

async function readDeliveries(
  view: View,
  text: string,
  values: readonly unknown[],
): Promise<ListedDelivery[]> {
  const rows = await view.wireRows(text, values);
  return rows.map(
    (row) => JSON.parse(jsonText(listedDeliveryRecord.encode(row, 0))) as ListedDelivery,
  );
}

const listedMembers = listedDeliveryRecord.members;

/** `$1` to `$3` of a statement with `SUBSCRIPTIONS` and `MATCHES`. */
const filterValues = ({ subAccountId, subscriptionId, failed }: DeliveryFilter) => [
  subAccountId ?? null,
  subscriptionId ?? null,
  failed ?? false,
];

/**
 * SQL with lateral joins: no index orders the attempts of all subscriptions, so those of each are read
 * apart, on a cluster on its node.
 */
const SUBSCRIPTIONS = `
  select s.sub_account_id, s.id from webhook_subscriptions s
  join sub_accounts a on a.id = s.sub_account_id
  where a.deleted_at is null and ($1::uuid is null or s.sub_account_id = $1)
    and ($2::uuid is null or s.id = $2)`;

const OWN = `d.sub_account_id = s.sub_account_id and d.subscription_id = s.id`;

const MATCHES = `(not $3::boolean or d.status = 'failed')`;

const LAST = `select ${listedMembers}
  from (${SUBSCRIPTIONS}) as s
  cross join lateral (
    select * from webhook_deliveries d
    where ${OWN} and ${MATCHES}
    order by d.id desc limit $4
  ) as d
  order by d.id desc limit $4`;

const ONE = `select ${listedMembers}
  from sub_accounts a join webhook_deliveries d on d.sub_account_id = a.id
  where a.deleted_at is null and d.id = $1`;

/** An id has the time of the attempt's start; its row is visible at most this long after its end. */
const SETTLING_MS = 10_000;
/** Pending attempts that may be completed before the next poll. */
const SOON_MS = 5_000;
const SOON_MAX = 10_000;

/**
 * Returns a function that returns, on each call, the attempts completed since the previous call, each
 * once. Attempts from before the first call are left out.
 */
export function followDeliveries(
  filter: DeliveryFilter,
  attemptMs: number,
): (view: View) => Promise<ListedDelivery[]> {
  let reported: ReadonlySet<string> | undefined;
  let waiting: readonly string[] = [];
  return async (view) => {
    const recent = firstIdAt(new Date(view.now.getTime() - attemptMs - SETTLING_MS));
    const soon = new Date(view.now.getTime() + SOON_MS);
    const known = [...(reported ?? [])].filter((id) => id >= recent);
    const values = [...filterValues(filter), recent, waiting, known, soon];
    const found = await readDeliveries(view, POLL, values);
    const made = found.filter(({ status }) => status !== 'pending');
    const isFirst = reported === undefined;
    reported = new Set([...known, ...made.map(({ id }) => id)]);
    waiting = found.filter(({ status }) => status === 'pending').map(({ id }) => id);
    return isFirst ? [] : made;
  };
}

/**
 * Recent attempts, those that were pending at the previous poll, and those that are pending now. One
 * snapshot, so that no attempt is missed in between.
 */
const POLL = `select ${listedMembers}
  from (${SUBSCRIPTIONS}) as s
  cross join lateral (
    select * from webhook_deliveries d
    where ${OWN} and ${MATCHES} and d.status <> 'pending'
      and (d.id >= $4::uuid or d.id = any($5::uuid[])) and d.id <> all($6::uuid[])
    union all (
      select * from webhook_deliveries d
      where ${OWN} and d.status = 'pending' and d.next_attempt_at <= $7
      order by d.next_attempt_at limit ${SOON_MAX}
    )
  ) as d
  order by d.id`;
