import type { View } from '#core/work.ts';
import {
  filterValues,
  OWN,
  OWNER,
  readDeliveries,
  listedMembers,
  WANTED,
  type DeliveryFilter,
  type ListedDelivery,
} from './list-all-deliveries.ts';

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
    const recent = firstIdAt(view.now.getTime() - attemptMs - SETTLING_MS);
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

/** The smallest UUIDv7 of a millisecond. */
function firstIdAt(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
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
