import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import type { ExternalSetup } from './external-setup.ts';
import { fetchExternal } from './external.jobs.ts';
import type { FetchedCalendar } from './fetch-calendar.ts';

/** Stores a fetch, unless the member has another calendar by now. */
export function recordBusy(work: Work, setup: ExternalSetup, fetched: FetchedCalendar): void {
  const { memberId, type, url, user, deletedOutside } = setup;
  const settings = JSON.stringify({ type, url, user, deletedOutside });
  const key = [work.subAccountId, memberId, settings, work.now];
  if ('failure' in fetched) {
    work.write(FAILED, [...key, fetched.failure]);
  } else if ('isUnchanged' in fetched) {
    work.write(UNCHANGED, key);
  } else {
    const { busy, validators } = fetched;
    const bounds = [
      busy.map(({ from }) => new Date(from)),
      busy.map(({ until }) => new Date(until)),
    ];
    work.write(ANSWERED, [...key, JSON.stringify(validators), ...bounds]);
  }
}

/** Inserts nothing for a member who is removed at the same time. */
const OF_MEMBER = `from team_members
  where sub_account_id = $1 and id = $2 and external_calendar = $3::jsonb for key share
  on conflict (sub_account_id, member_id) do update set`;

const ANSWERED = `insert into external_busy
    (sub_account_id, member_id, asked_at, answered_at, validators, busy)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz, $5::jsonb, coalesce((
    select range_agg(tstzrange(f, u))
    from unnest($6::timestamptz[], $7::timestamptz[]) as period (f, u) where f < u
  ), '{}')
  ${OF_MEMBER} asked_at = excluded.asked_at, answered_at = excluded.answered_at,
    validators = excluded.validators, busy = excluded.busy,
    failing_since = null, last_error = null`;

const UNCHANGED = `insert into external_busy (sub_account_id, member_id, asked_at, answered_at)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz
  ${OF_MEMBER} asked_at = excluded.asked_at, answered_at = excluded.answered_at,
    failing_since = null, last_error = null`;

const FAILED = `insert into external_busy
    (sub_account_id, member_id, asked_at, failing_since, last_error)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz, $5
  ${OF_MEMBER} asked_at = excluded.asked_at, last_error = excluded.last_error,
    failing_since = coalesce(external_busy.failing_since, excluded.failing_since)`;

/** Drops the busy times of a member's former calendar, and fetches the new one at once. */
export async function forgetExternal(
  work: Work,
  { data: { memberId } }: Occurrence<{ memberId: string }>,
): Promise<void> {
  const { subAccountId } = work;
  work.write(FORGET, [subAccountId, memberId]);
  const key = `${fetchExternal.name}:${memberId}`;
  work.enqueue(fetchExternal, { subAccountId, memberId }, { key });
}

const FORGET = 'delete from external_busy where sub_account_id = $1 and member_id = $2';
