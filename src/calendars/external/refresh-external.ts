import type { PrepareContext } from '#core/endpoint/route.ts';
import type { Occurrence } from '#core/event.ts';
import { handle, keyOf } from '#core/job.ts';
import type { View, Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { inOneLine } from '#platform/mail/mailer.ts';
import { externalMembers, readSetup, type ExternalSetup } from './external-setup.ts';
import { fetchAllExternal, fetchExternal } from './external.jobs.ts';
import { fetchCalendar, type FetchedCalendar } from './fetch-calendar.ts';
import { exceedsTotal, mergePeriods } from './limit-busy.ts';
import { findLostEvents, reportLostEvent } from './lost-events.ts';

const FRESH_MS = MINUTE_MS;
/** A customer is waiting for the booking; after this time the stored busy times are used. */
const REFRESH_TIMEOUT_MS = 4_000;

/** Fetches the members' external calendars that were last fetched a minute ago or more. */
export async function refreshExternal(
  call: PrepareContext,
  memberIds: readonly string[],
): Promise<void> {
  const { view } = call;
  const external = new Set((await externalMembers(view)).map(({ id }) => id));
  const withCalendar = memberIds.filter((id) => external.has(id));
  if (withCalendar.length === 0) {
    return;
  }
  const stale = await staleAmong(view, withCalendar);
  await Promise.all(stale.map((id) => fetchOnce(call, id)));
}

/** Each may take 10 MB. */
const FETCHES_AT_ONCE = 64;

/** A calendar may have 200 members. */
const fetches = openGate({ shares: openShares<string>(FETCHES_AT_ONCE) });

/** Fetches in progress in this process, by sub-account and member. */
const fetching = new Map<string, Promise<void>>();

/** Concurrent bookings share one fetch per calendar. */
function fetchOnce(call: PrepareContext, memberId: string): Promise<void> {
  const key = `${call.view.subAccountId}/${memberId}`;
  const known = fetching.get(key);
  if (known) {
    return known;
  }
  const fetched = fetchStale(call, memberId).finally(() => fetching.delete(key));
  fetching.set(key, fetched);
  return fetched;
}

/** Checks again whether the calendar is stale: an earlier fetch may have finished meanwhile. */
async function fetchStale(
  { view, tools, change }: PrepareContext,
  memberId: string,
): Promise<void> {
  const { outbound, secrets } = tools;
  const isStale = (await staleAmong(view, [memberId])).length > 0;
  const setup = isStale && (await readSetup(view, secrets, memberId));
  if (!setup) {
    return;
  }
  const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
  const { subAccountId } = view;
  const options = { outbound, subAccountId, signal, timeoutMs: REFRESH_TIMEOUT_MS };
  const fetched = await fetches
    .run(subAccountId, () => fetchCalendar(view, setup, options), signal)
    .catch((error: unknown) => {
      if (signal.aborted) {
        return { failure: 'too many other calendars are slow' };
      }
      throw error;
    });
  await change((work) => recordBusy(work, setup, { ...fetched, askedAt: view.now }));
}

async function staleAmong(view: View, memberIds: readonly string[]): Promise<string[]> {
  const since = new Date(view.now.getTime() - FRESH_MS);
  const rows = await view.rows<{ id: string }>(STALE, [view.subAccountId, memberIds, since]);
  return rows.map(({ id }) => id);
}

const STALE = `select m.id from team_members m
  left join external_busy b on b.sub_account_id = m.sub_account_id and b.member_id = m.id
  where m.sub_account_id = $1 and m.id = any($2::uuid[])
    and (b.asked_at is null or b.asked_at <= $3)`;

const TIMEOUT_MS = 30_000;

/** Fetches one calendar. After an error the previous busy times stay. */
export const handleFetchExternal = handle(
  fetchExternal,
  async ({ subAccountId, memberId }, { openView, clock, tools, transact, actor, signal }) => {
    const view = openView(subAccountId, clock());
    const setup = await readSetup(view, tools.secrets, memberId);
    if (!setup) {
      return;
    }
    const options = { outbound: tools.outbound, subAccountId, signal, timeoutMs: TIMEOUT_MS };
    const fetched = await fetchCalendar(view, setup, options);
    const seen = setup.type === 'caldav' && 'synced' in fetched ? fetched.synced : undefined;
    const lost = seen ? await findLostEvents(view, setup, seen, options) : [];
    signal.throwIfAborted();
    const answer = { ...fetched, askedAt: view.now };
    await transact(subAccountId, actor, (work) => recordBusy(work, setup, answer));
    for (const event of lost) {
      await transact(subAccountId, actor, (work) => reportLostEvent(work, setup, event));
    }
  },
);

export const handleFetchAllExternal = handle(fetchAllExternal, async (_, { execute }) => {
  await execute(QUEUE_ALL, [fetchExternal.name, fetchExternal.maxAttempts]);
});

/** One job per member: while one runs, no second is queued behind it. */
const QUEUE_ALL = `select queue_jobs(
    array_agg($1::text), array_agg($1::text || ':' || m.id),
    array_agg(json_build_object('subAccountId', m.sub_account_id, 'memberId', m.id)), $2::int
  ) from team_members m join sub_accounts s on s.id = m.sub_account_id
  where m.external_calendar is not null and s.deleted_at is null`;

/** It may contain what the server sent: megabytes, or characters that PostgreSQL refuses. */
const FAILURE_MAX = 500;

/** A time further ahead of now was stored by a clock that was wrong, and precedes nothing. */
const AHEAD_MS = MINUTE_MS;

/**
 * Stores a fetch that was asked for at `askedAt`, unless the member has another calendar by now, or a later
 * request was answered before: a slow answer may be older than what is stored.
 */
async function recordBusy(
  work: Work,
  setup: ExternalSetup,
  fetched: FetchedCalendar & { readonly askedAt: Date },
): Promise<void> {
  const { memberId, type, url, user, deletedOutside } = setup;
  const settings = JSON.stringify({ type, url, user, deletedOutside });
  const ahead = new Date(work.now.getTime() + AHEAD_MS);
  const key = [work.subAccountId, memberId, settings, fetched.askedAt, ahead];
  if ('failure' in fetched) {
    work.write(FAILED, [...key, inOneLine(fetched.failure.slice(0, FAILURE_MAX))]);
    return;
  }
  if ('isUnchanged' in fetched) {
    work.write(UNCHANGED, key);
    return;
  }
  const busy = mergePeriods(fetched.busy);
  const reason = await exceedsTotal(work, memberId, busy.length);
  if (reason !== undefined) {
    work.write(FAILED, [...key, reason]);
    return;
  }
  const bounds = [busy.map(({ from }) => new Date(from)), busy.map(({ until }) => new Date(until))];
  const error =
    fetched.unread === undefined ? null : inOneLine(fetched.unread.slice(0, FAILURE_MAX));
  work.write(ANSWERED, [...key, JSON.stringify(fetched.validators), ...bounds, error]);
}

/** Inserts nothing for a member who is removed at the same time. */
const OF_MEMBER = `from team_members
  where sub_account_id = $1 and id = $2 and external_calendar = $3::jsonb for key share
  on conflict (sub_account_id, member_id) do update set`;

/** A failure precedes no answer: the answer to an earlier request says more. */
const unlessNewer = (time: 'asked_at' | 'answered_at'): string =>
  `where coalesce(external_busy.${time} <= $4 or external_busy.${time} > $5::timestamptz, true)`;

const ANSWERED = `insert into external_busy
    (sub_account_id, member_id, asked_at, answered_at, validators, busy, failing_since, last_error)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz, $6::jsonb, coalesce((
    select range_agg(tstzrange(f, u))
    from unnest($7::timestamptz[], $8::timestamptz[]) as period (f, u)
  ), '{}'), case when $9::text is not null then $4::timestamptz end, $9::text
  ${OF_MEMBER} asked_at = excluded.asked_at, answered_at = excluded.answered_at,
    validators = excluded.validators, busy = excluded.busy, last_error = excluded.last_error,
    failing_since = case when excluded.last_error is not null
      then coalesce(external_busy.failing_since, excluded.failing_since) end
  ${unlessNewer('answered_at')}`;

const UNCHANGED = `insert into external_busy (sub_account_id, member_id, asked_at, answered_at)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz
  ${OF_MEMBER} asked_at = excluded.asked_at, answered_at = excluded.answered_at,
    failing_since = null, last_error = null
  ${unlessNewer('answered_at')}`;

const FAILED = `insert into external_busy
    (sub_account_id, member_id, asked_at, failing_since, last_error)
  select sub_account_id, id, $4::timestamptz, $4::timestamptz, $6
  ${OF_MEMBER} asked_at = excluded.asked_at, last_error = excluded.last_error,
    failing_since = coalesce(external_busy.failing_since, excluded.failing_since)
  ${unlessNewer('asked_at')}`;

/** Drops the busy times of a member's former calendar, and fetches the new one at once. */
export async function forgetExternal(
  work: Work,
  { data: { memberId } }: Occurrence<{ memberId: string }>,
): Promise<void> {
  const { subAccountId } = work;
  work.write(FORGET, [subAccountId, memberId]);
  const payload = { subAccountId, memberId };
  work.enqueue(fetchExternal, payload, { key: keyOf(fetchExternal, payload) });
}

const FORGET = 'delete from external_busy where sub_account_id = $1 and member_id = $2';
