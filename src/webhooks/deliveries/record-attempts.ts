import { newId } from '#lib/id.ts';
import { waitAfter } from '#lib/next-attempt.ts';
import type { Work } from '#core/work.ts';
import type { Made } from './attempt-delivery.ts';

/** Attempts that were made, and where the subscription stands after them. */
export interface Progress {
  readonly subscriptionId: string;
  /** In the order in which they ended. */
  readonly made: readonly Made[];
  /** No attempt before then. */
  readonly pausedUntil: Date | null;
  readonly position: number;
  /** The waits between attempts, in milliseconds. */
  readonly steps: readonly number[];
}

/** Writes log rows, the attempts that follow failed ones, and the subscription's own figures. */
export function recordAttempts(work: Work, progress: Progress): void {
  const { subscriptionId, made, position, pausedUntil } = progress;
  const rows = made.flatMap((one) => rowsOf(work, progress, one));
  if (rows.length > 0) {
    work.write(RECORD, [JSON.stringify(rows)]);
  }
  const delivered = made.filter(
    ({ attempt, succeeded }) => succeeded && attempt.trigger === 'manual',
  );
  if (delivered.length > 0) {
    const ids = delivered.map(({ attempt }) => attempt.eventId);
    work.write(FORGET_SCHEDULED, [work.subAccountId, subscriptionId, ids]);
  }
  const success = made.findLast(({ succeeded }) => succeeded);
  const failures = success ? made.slice(made.lastIndexOf(success) + 1) : made;
  work.write(ADVANCE, [
    work.subAccountId,
    subscriptionId,
    position,
    success?.at ?? null,
    failures.length,
    failures[0]?.at ?? null,
    pausedUntil,
    made.at(-1)?.at ?? null,
  ]);
}

/** The row of the attempt, and of the one to follow where it is to be tried again. */
function rowsOf(
  { subAccountId }: Work,
  { subscriptionId, steps }: Progress,
  { attempt: tried, ...made }: Made,
): object[] {
  const { attempt, trigger, eventId, name: event } = tried;
  const base = {
    sub_account_id: subAccountId,
    subscription_id: subscriptionId,
    event_id: eventId,
    event,
    trigger,
    created_at: made.at,
  };
  const { retryAfterMs } = made;
  const waitMs =
    made.succeeded || trigger === 'manual'
      ? undefined
      : waitAfter({ attempt, steps, retryAfterMs, random: Math.random() });
  const nextAt =
    waitMs === undefined ? null : new Date(made.at.getTime() + made.durationMs + waitMs);
  const own = {
    ...base,
    id: made.id,
    attempt,
    status: made.succeeded ? 'succeeded' : 'failed',
    response_status: made.responseStatus,
    response_body: made.responseBody,
    duration_ms: made.durationMs,
    error: made.error,
    next_attempt_at: nextAt,
  };
  const following = {
    ...base,
    id: newId(made.at),
    attempt: attempt + 1,
    status: 'pending',
    next_attempt_at: nextAt,
  };
  return nextAt ? [own, following] : [own];
}

const RECORD = `insert into webhook_deliveries
  select * from json_populate_recordset(null::webhook_deliveries, $1::json)
  on conflict (sub_account_id, id) do update set status = excluded.status,
    response_status = excluded.response_status, response_body = excluded.response_body,
    duration_ms = excluded.duration_ms, error = excluded.error,
    next_attempt_at = excluded.next_attempt_at`;

/** What somebody has sent again with success needs no further attempt. */
const FORGET_SCHEDULED = `delete from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = any($3::uuid[])
    and status = 'pending' and trigger = 'scheduled'`;

/** Differences, so that a fresh start which somebody gave it meanwhile stays one. */
const ADVANCE = `update webhook_subscriptions set position = greatest(position, $3),
    consecutive_failures = case when $4::timestamptz is null then consecutive_failures else 0 end
      + $5::int,
    failing_since = coalesce(case when $4::timestamptz is null then failing_since end, $6),
    paused_until = case when $8::timestamptz is null then paused_until else $7 end,
    last_delivery_at = coalesce($8, last_delivery_at),
    last_success_at = coalesce($4, last_success_at)
  where sub_account_id = $1 and id = $2`;
