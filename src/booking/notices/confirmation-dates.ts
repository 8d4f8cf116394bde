import type { Work } from '#core/work.ts';
import type { Noticed } from './read-notice.ts';

/** What a confirmation tells of one appointment. */
export type ConfirmedDate = Pick<
  Noticed,
  'id' | 'startTime' | 'endTime' | 'createdAt' | 'updatedAt'
>;

/** A series is confirmed at once, with its first appointment; by itself each other is its own. */
export async function datesOf(work: Work, noticed: Noticed): Promise<readonly ConfirmedDate[]> {
  const { seriesId } = noticed;
  return seriesId === null ? [noticed] : work.rows(SERIES, [work.subAccountId, seriesId]);
}

const SERIES = `select id, start_time as "startTime", end_time as "endTime",
    created_at as "createdAt", updated_at as "updatedAt"
  from appointments
  where sub_account_id = $1 and series_id = $2 and status in ('scheduled', 'confirmed')
  order by id`;
