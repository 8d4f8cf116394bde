import { newId } from '#lib/id.ts';
import { waitAfter } from '#lib/retry-wait.ts';
import type { Work } from '#core/work.ts';
import type { AttemptResult, UnsentAttempt } from './attempt-delivery.ts';
import type { SentRecord } from './sent-request.ts';

/** Results are recorded at the latest once there are this many. */
export const SETTLE_AT = 500;

/** Completed attempts, and the state of the subscription after them. */
export interface Progress {
  readonly subscriptionId: string;
  /** In the order in which they ended. */
  readonly results: readonly AttemptResult[];
  /** They stay due. */
  readonly unsent?: readonly UnsentAttempt[];
  /** No attempt is made for this long. */
  readonly pauseMs: number | null;
  readonly position: number;
  /** The waits between attempts in milliseconds. */
  readonly steps: readonly number[];
  /** Responses after which an event is not sent again. */
  readonly finalStatuses?: readonly number[];
}

/** Writes log rows, further attempts after failed ones, and the counters of the subscription. */
export function recordAttempts(work: Work, progress: Progress): void {
  const { subscriptionId, results, unsent = [], position, pauseMs } = progress;
  const success = results.findLast(({ succeeded }) => succeeded);
  const failures = success ? results.slice(results.lastIndexOf(success) + 1) : results;
  work.write(RECORD, [
    work.subAccountId,
    subscriptionId,
    position,
    success?.at ?? null,
    failures.length,
    pauseMs,
    results.at(-1)?.at ?? null,
    ...columnsOf([
      ...results.flatMap((result) => rowsOf(progress, result)),
      ...unsent.flatMap((one) => (one.attempt.id === undefined ? [dueRow(one)] : [])),
    ]),
  ]);
  const delivered = results.filter(
    ({ attempt, succeeded }) => succeeded && attempt.trigger === 'manual',
  );
  if (delivered.length > 0) {
    const ids = delivered.map(({ attempt }) => attempt.eventId);
    work.write(DELETE_SCHEDULED, [work.subAccountId, subscriptionId, ids]);
  }
}

/** Returns the row of the attempt and, if it is to be repeated, the row of the next one. */
interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly event: string;
  readonly attempt: number;
  readonly trigger: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly response_status?: number | undefined;
  readonly response_body?: string | undefined;
  readonly duration_ms?: number;
  readonly error?: string | undefined;
  readonly created_at: Date;
  /** The wait before the next attempt, or before this one if it is pending. */
  readonly wait_ms?: number | undefined;
  readonly sent?: SentRecord;
}

/** Returns the row of the attempt, and the row of the next one if it is to be repeated. */
function rowsOf({ steps, finalStatuses = [] }: Progress, result: AttemptResult): DeliveryRow[] {
  const { attempt, trigger, eventId, name } = result.attempt;
  const isFinal = finalStatuses.includes(result.responseStatus ?? 0);
  const waitMs = isFinal ? undefined : waitOf(result, steps);
  const own: DeliveryRow = {
    id: result.id,
    event_id: eventId,
    event: name,
    attempt,
    trigger,
    status: result.succeeded ? 'succeeded' : 'failed',
    response_status: result.responseStatus ?? undefined,
    response_body: result.responseBody ?? undefined,
    duration_ms: result.durationMs,
    error: result.error ?? undefined,
    created_at: result.at,
    wait_ms: waitMs,
    sent: result.sent,
  };
  return waitMs === undefined ? [own] : [own, followingRow(result, waitMs)];
}

const followingRow = ({ attempt, at }: AttemptResult, waitMs: number): DeliveryRow => ({
  id: newId(at),
  event_id: attempt.eventId,
  event: attempt.name,
  attempt: attempt.attempt + 1,
  trigger: attempt.trigger,
  status: 'pending',
  created_at: at,
  wait_ms: waitMs,
});

/** The row of a first attempt that was not made: its event is not read again. */
const dueRow = ({ attempt, at }: UnsentAttempt): DeliveryRow => ({
  id: newId(at),
  event_id: attempt.eventId,
  event: attempt.name,
  attempt: attempt.attempt,
  trigger: attempt.trigger,
  status: 'pending',
  created_at: at,
  wait_ms: 0,
});

/** Returns the wait before the attempt is repeated; undefined where it succeeded or was the last one. */
const waitOf = (
  { attempt: { attempt, trigger }, succeeded, retryAfterMs }: AttemptResult,
  steps: readonly number[],
): number | undefined =>
  succeeded || trigger === 'manual'
    ? undefined
    : waitAfter({ attempt, steps, retryAfterMs, random: Math.random() });

/** An event delivered by a manual attempt needs no scheduled attempt. */
const DELETE_SCHEDULED = `delete from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and event_id = any($3::uuid[])
    and status = 'pending' and trigger = 'scheduled'`;

/** Returns the array of each column as PostgreSQL reads it. The driver would build them more slowly. */
function columnsOf(rows: readonly DeliveryRow[]): string[] {
  const column = (textOf: (row: DeliveryRow) => string | number) => `{${rows.map(textOf).join()}}`;
  return [
    column(({ id }) => id),
    column((row) => row.event_id),
    column(({ event }) => quoted(event)),
    column(({ attempt }) => attempt),
    column(({ trigger }) => trigger),
    column(({ status }) => status),
    column((row) => row.response_status ?? NULL),
    column((row) => quoted(row.response_body)),
    column((row) => row.duration_ms ?? NULL),
    column(({ error }) => quoted(error)),
    column((row) => row.created_at.toISOString()),
    column((row) => row.wait_ms ?? NULL),
    column(({ sent }) => quoted(sent && JSON.stringify(sent))),
  ];
}

const NULL = 'NULL';

const quoted = (text: string | undefined): string =>
  text === undefined ? NULL : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** In whole milliseconds, as times are read: a job that starts then finds its attempt due. */
const NOW = `date_trunc('milliseconds', statement_timestamp())`;

/**
 * Hot: bench deliver-webhooks. The function changes the counters and inserts the attempts, if the
 * subscription still exists. Waits are counted by the database's clock. The comment names the tables for
 * `sharedTable`.
 */
const RECORD = `select log_attempts($1, $2, $3, $4, $5, case when $5::int > 0 then ${NOW} end,
  ${NOW} + $6::float8 * interval '1 ms', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
  array(select ${NOW} + wait * interval '1 ms' from unnest($19::int8[]) as wait), $20)
  /* update webhook_subscriptions, update webhook_deliveries */`;
