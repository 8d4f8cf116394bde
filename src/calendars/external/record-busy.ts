import type { Work } from '#core/work.ts';
import type { FetchedCalendar } from './fetch-calendar.ts';
import type { ExternalSetup } from './external-setup.ts';

/** Keeps what was told, unless the member keeps another calendar by now. */
export function recordBusy(work: Work, setup: ExternalSetup, asked: FetchedCalendar): void {
  const { memberId, type, url, user, deletedOutside } = setup;
  const settings = JSON.stringify({ type, url, user, deletedOutside });
  const whose = [work.subAccountId, memberId, settings, work.now];
  if ('failure' in asked) {
    work.write(FAILED, [...whose, asked.failure]);
  } else if ('isUnchanged' in asked) {
    work.write(SAME, whose);
  } else {
    const { busy, validators } = asked;
    const bounds = [
      busy.map(({ from }) => new Date(from)),
      busy.map(({ until }) => new Date(until)),
    ];
    work.write(ANSWERED, [...whose, JSON.stringify(validators), ...bounds]);
  }
}

/** Of one who leaves the team at this moment nothing is kept. */
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

const SAME = `insert into external_busy (sub_account_id, member_id, asked_at, answered_at)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz
  ${OF_MEMBER} asked_at = excluded.asked_at, answered_at = excluded.answered_at,
    failing_since = null, last_error = null`;

const FAILED = `insert into external_busy
    (sub_account_id, member_id, asked_at, failing_since, last_error)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz, $5
  ${OF_MEMBER} asked_at = excluded.asked_at, last_error = excluded.last_error,
    failing_since = coalesce(external_busy.failing_since, excluded.failing_since)`;
