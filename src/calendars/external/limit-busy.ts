import type { Work } from '#core/work.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';
import type { Period } from './event-clock.ts';

/** What the members of a sub-account may have together: a booking page reads them at once. */
const TOTAL_MAX = 200_000;

/** Returns the times in order, without their overlaps: times that overlap or touch become one. */
export function mergePeriods(periods: readonly Period[]): Period[] {
  const taking = periods.filter(({ from, until }) => from < until);
  const merged: Period[] = [];
  for (const { from, until } of taking.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.until) {
      merged[merged.length - 1] = { from: last.from, until: Math.max(last.until, until) };
    } else {
      merged.push({ from, until });
    }
  }
  return merged;
}

/**
 * Returns why a member's merged busy times cannot be stored, or undefined. A calendar that has no more
 * times than before is always stored. Concurrent fetches of the sub-account wait for this transaction:
 * together, they would exceed the limit.
 */
export async function exceedsTotal(
  work: Work,
  memberId: string,
  count: number,
): Promise<string | undefined> {
  const { subAccountId } = work;
  await lockTexts(work, `external-busy:${subAccountId}`);
  const [stored] = await work.rows<StoredTimes>(STORED, [subAccountId, memberId]);
  const { own = 0, others = 0 } = stored ?? {};
  return count > own && count + others > TOTAL_MAX
    ? `it has ${count} busy times, and the other calendars of the sub-account ${others}: more than ${TOTAL_MAX} together`
    : undefined;
}

interface StoredTimes {
  readonly own: number;
  readonly others: number;
}

const STORED = `select count(*) filter (where member_id = $2)::int as own,
    count(*) filter (where member_id <> $2)::int as others
  from external_busy b cross join unnest(b.busy) where b.sub_account_id = $1`;
