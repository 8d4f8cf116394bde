import { newId } from '#lib/id.ts';
import { readRetryAfter } from '#lib/next-attempt.ts';
import type { Outbound, OutboundAnswer } from '#core/outbound.ts';
import type { Target } from './lease.ts';
import { eventBody, type StoredEvent } from '../feed/event-body.ts';
import { signatureHeaders } from './signature.ts';

/** Of a response, this much is read, and this much is stored (contract 6). */
const READ_MAX_BYTES = 20_000;
const STORED_MAX_BYTES = 4_000;

export interface Attempt extends StoredEvent {
  /** The id of the pending row; a first scheduled attempt has none yet. */
  readonly id?: string;
  readonly eventId: string;
  /** From 1. */
  readonly attempt: number;
  readonly trigger: 'scheduled' | 'manual';
  /** The event's position in the order, for a first scheduled attempt. */
  readonly position?: number;
}

/** The outcome of an attempt. */
export interface AttemptResult {
  readonly attempt: Attempt;
  /** The id of the log row, which the receiver gets as X-Webhook-Delivery. */
  readonly id: string;
  readonly at: Date;
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly retryAfterMs: number | undefined;
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
): Promise<AttemptResult> {
  const at = clock();
  const id = attempt.id ?? newId(at);
  const body = eventBody(target, attempt);
  const started = performance.now();
  const answer = await outbound.send({
    url: target.url,
    method: 'POST',
    // Receivers recognise a repeat by its X-Webhook-Event-Id.
    isRepeatable: true,
    headers: {
      'content-type': 'application/json',
      'user-agent': target.userAgent,
      'x-webhook-event': attempt.name,
      'x-webhook-event-id': attempt.eventId,
      'x-webhook-delivery': id,
      ...signatureHeaders(target.keys, body, at.getTime()),
    },
    body,
    timeoutMs,
    readMaxBytes: READ_MAX_BYTES,
    signal,
  });
  const durationMs = Math.round(performance.now() - started);
  const result = { attempt, id, at, durationMs };
  return 'failure' in answer
    ? { ...result, ...NO_RESPONSE, error: answer.failure }
    : { ...result, ...outcomeOf(answer, clock()) };
}

const NO_RESPONSE = {
  succeeded: false,
  responseStatus: null,
  responseBody: null,
  retryAfterMs: undefined,
};

function outcomeOf({ status, headers, body }: OutboundAnswer, now: Date) {
  const succeeded = status >= 200 && status < 300;
  return {
    succeeded,
    responseStatus: status,
    responseBody: storedText(body),
    error: succeeded ? null : `the receiver answered ${status}`,
    retryAfterMs: succeeded ? undefined : readRetryAfter(headers['retry-after'], now),
  };
}

/** Text that PostgreSQL can store; a character that was cut in half is removed. */
const storedText = (body: Buffer): string =>
  body
    .subarray(0, STORED_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
    .replaceAll('\0', '');
