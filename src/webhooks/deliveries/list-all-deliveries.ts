import { firstIdAt } from '#lib/id.ts';
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

/** An attempt has its id when it begins, and is seen so long after its answer at most. */
const SETTLING_MS = 10_000;
/** Attempts that may be made before the next look. */
const SOON_MS = 5_000;
const SOON_MAX = 10_000;

/**
 * Answers a function that tells, each time, which attempts have been made since the last time: every
 * one once, with its outcome. Those that were made before the first time are not told.
 */
export function followDeliveries(
  filter: DeliveryFilter,
  attemptMs: number,
): (view: View) => Promise<ListedDelivery[]> {
  let told: ReadonlySet<string> | undefined;
  let waiting: readonly string[] = [];
  return async (view) => {
    const recent = firstIdAt(new Date(view.now.getTime() - attemptMs - SETTLING_MS));
    const soon = new Date(view.now.getTime() + SOON_MS);
    const known = [...(told ?? [])].filter((id) => id >= recent);
    const values = [...filterValues(filter), recent, waiting, known, soon];
    const found = await readDeliveries(view, LOOK, values);
    const made = found.filter(({ status }) => status !== 'pending');
    const isFirst = told === undefined;
    told = new Set([...known, ...made.map(({ id }) => id)]);
    waiting = found.filter(({ status }) => status === 'pending').map(({ id }) => id);
    return isFirst ? [] : made;
  };
}

/**
 * What was made lately or waited at the last look, and what waits now: one snapshot, so that an
 * attempt is in one of them.
 */
const LOOK = `select ${listedMembers}
  from (select a.id from ${OWNER}) as a
  cross join lateral (
    select * from webhook_deliveries d
    where ${OWN} and ${WANTED} and d.status <> 'pending'
      and (d.id >= $4::uuid or d.id = any($5::uuid[])) and d.id <> all($6::uuid[])
    union all (
      select * from webhook_deliveries d
      where ${OWN} and d.status = 'pending' and d.next_attempt_at <= $7
      order by d.next_attempt_at limit ${SOON_MAX}
    )
  ) as d
  order by d.id`;
