import { newId } from '#lib/id.ts';
import { waitAfter } from '#lib/next-attempt.ts';
import type { Work } from '#core/work.ts';
import type { AttemptResult } from './attempt-delivery.ts';

/** Attempts that were made, and the state of the subscription after them. */
export interface Progress {
  readonly subscriptionId: string;
  /** In the order in which they ended. */
  readonly results: readonly AttemptResult[];
  /** No attempt is made before this time. */
  readonly pausedUntil: Date | null;
  readonly position: number;
  /** The waits between attempts in milliseconds. */
  readonly steps: readonly number[];
}

/** Writes log rows, the pending attempts after failed ones, and the counters of the subscription. */
export function recordAttempts(work: Work, progress: Progress): void {
  const { subscriptionId, results, position, pausedUntil } = progress;
  const rows = results.flatMap((result) => rowsOf(work, progress, result));
  if (rows.length > 0) {
    work.write(RECORD, [JSON.stringify(rows)]);
  }
  const delivered = results.filter(
    ({ attempt, succeeded }) => succeeded && attempt.trigger === 'manual',
  );
  if (delivered.length > 0) {
    const ids = delivered.map(({ attempt }) => attempt.eventId);
    work.write(FORGET_SCHEDULED, [work.subAccountId, subscriptionId, ids]);
  }
  const success = results.findLast(({ succeeded }) => succeeded);
  const failures = success ? results.slice(results.lastIndexOf(success) + 1) : results;
  work.write(ADVANCE, [
    work.subAccountId,
    subscriptionId,
    position,
    success?.at ?? null,
    failures.length,
    failures[0]?.at ?? null,
    pausedUntil,
    results.at(-1)?.at ?? null,
  ]);
}

/** The row of the attempt, and the row of the next one if it is to be repeated. */
function rowsOf(
  { subAccountId }: Work,
  { subscriptionId, steps }: Progress,
  { attempt: attempted, ...result }: AttemptResult,
): object[] {
  const { attempt, trigger, eventId, name: event } = attempted;
  const base = {
    sub_account_id: subAccountId,
    subscription_id: subscriptionId,
    event_id: eventId,
    event,
    trigger,
    created_at: result.at,
  };
  const { retryAfterMs } = result;
  const waitMs =
    result.succeeded || trigger === 'manual'
      ? undefined
      : waitAfter({ attempt, steps, retryAfterMs, random: Math.random() });
  const nextAt =
    waitMs === undefined ? null : new Date(result.at.getTime() + result.durationMs + waitMs);
  const own = {
    ...base,
    id: result.id,
    attempt,
    status: result.succeeded ? 'succeeded' : 'failed',
    response_status: result.responseStatus,
    response_body: result.responseBody,
    duration_ms: result.durationMs,
    error: result.error,
    next_attempt_at: nextAt,
  };
  const following = {
    ...base,
    id: newId(result.at),
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

/** An event that a manual attempt has delivered needs no scheduled attempt. */
const FORGET_SCHEDULED = `delete from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = any($3::uuid[])
    and status = 'pending' and trigger = 'scheduled'`;

/** Counters change by differences, so that a reset by a caller in the meantime stays effective. */
const ADVANCE = `update webhook_subscriptions set position = greatest(position, $3),
    consecutive_failures = case when $4::timestamptz is null then consecutive_failures else 0 end
      + $5::int,
    failing_since = coalesce(case when $4::timestamptz is null then failing_since end, $6),
    paused_until = case when $8::timestamptz is null then paused_until else $7 end,
    last_delivery_at = coalesce($8, last_delivery_at),
    last_success_at = coalesce($4, last_success_at)
  where sub_account_id = $1 and id = $2`;
