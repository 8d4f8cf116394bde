import { newId } from '#lib/id.ts';
import { observeDelivery } from '#platform/metrics/counters.ts';
import { readRetryAfter } from '#lib/retry-wait.ts';
import type { Outbound } from '#core/outbound.ts';
import { occurrenceBody } from '../agents/agent-request.ts';
import type { Target } from './lease.ts';
import { eventBody, type StoredEvent } from '../feed/event-body.ts';
import { deliveryHeaders } from './delivery-request.ts';
import { storedHeaders, type SentRecord } from './sent-request.ts';

/** How much of a response is read, and how much of it is stored (contract 6). */
const READ_MAX_BYTES = 20_000;
const STORED_MAX_BYTES = 4_000;

export interface Attempt extends StoredEvent {
  /** The id of the pending row. A first scheduled attempt has none yet. */
  readonly id?: string;
  readonly eventId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly trigger: 'scheduled' | 'manual';
  /** The position of the event, for a first scheduled attempt. */
  readonly position?: number;
}

/** The outcome of an attempt. */
export interface AttemptResult {
  readonly attempt: Attempt;
  /** The id of the log row, sent as X-Webhook-Delivery. */
  readonly id: string;
  readonly at: Date;
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly retryAfterMs: number | undefined;
  readonly sent: SentRecord;
}

/** An attempt that was not made, as the sub-account used its share of connections to the receiver. */
export interface UnsentAttempt {
  readonly isUnsent: true;
  readonly attempt: Attempt;
  readonly at: Date;
}

export interface AttemptDeps {
  readonly outbound: Outbound;
  readonly clock: () => Date;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Posts an event to a receiver with a new signature. Never rejects: every failure is a result. */
export async function attemptDelivery(
  target: Target,
  attempt: Attempt,
  { outbound, clock, timeoutMs, signal }: AttemptDeps,
): Promise<AttemptResult | UnsentAttempt> {
  const at = clock();
  const id = attempt.id ?? newId(at);
  const { agent } = target;
  const body = agent ? occurrenceBody(target, attempt, agent.cursor) : eventBody(target, attempt);
  const started = performance.now();
  const answer = await outbound.send({
    subAccountId: target.subAccountId,
    url: target.url,
    method: 'POST',
    // Receivers recognise a repeat by its X-Webhook-Event-Id.
    isRepeatable: true,
    headers: deliveryHeaders(target, attempt, id, { body, timestampMs: at.getTime() }),
    body,
    timeoutMs,
    readMaxBytes: READ_MAX_BYTES,
    signal,
  });
  if ('failure' in answer && answer.hadNoConnection) {
    return { isUnsent: true, attempt, at };
  }
  const durationMs = Math.round(performance.now() - started);
  observeDelivery();
  // Whole literals: copied objects cost a tenth of all deliveries (bench: deliver-webhooks).
  if ('failure' in answer) {
    return failedAttempt(target, attempt, { id, at, durationMs, error: answer.failure });
  }
  const { status, headers } = answer;
  const succeeded = status >= 200 && status < 300;
  return {
    attempt,
    id,
    at,
    durationMs,
    succeeded,
    responseStatus: status,
    responseBody: storedText(answer.body),
    error: succeeded ? null : `the receiver returned ${status}`,
    retryAfterMs: succeeded ? undefined : readRetryAfter(headers['retry-after'], clock()),
    sent: sentTo(target, at, storedHeaders(headers)),
  };
}

type Failure = Pick<AttemptResult, 'id' | 'at' | 'durationMs'> & { readonly error: string };

/** Returns the result of an attempt without a response. */
export const failedAttempt = (
  target: Target,
  attempt: Attempt,
  failure: Failure,
): AttemptResult => ({
  ...failure,
  attempt,
  succeeded: false,
  responseStatus: null,
  responseBody: null,
  retryAfterMs: undefined,
  sent: sentTo(target, failure.at, undefined),
});

function sentTo(
  { url, userAgent, keys, agent }: Target,
  at: Date,
  headers: SentRecord['headers'],
): SentRecord {
  return {
    url,
    userAgent,
    at: at.getTime(),
    ...(keys.previous && { rotating: true }),
    ...(agent && { agent: { handle: agent.handle, cursor: agent.cursor } }),
    ...(headers && { headers }),
  };
}

/** Returns text that PostgreSQL can store, without a character that was cut in half. */
const storedText = (body: Buffer): string =>
  body
    .subarray(0, STORED_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
    .replaceAll('\0', '');
