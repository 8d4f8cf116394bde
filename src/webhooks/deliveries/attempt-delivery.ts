import { newId } from '#lib/id.ts';
import { readRetryAfter } from '#lib/next-attempt.ts';
import type { Outbound, OutboundAnswer } from '#core/outbound.ts';
import type { Target } from './lease.ts';
import { eventBody, type StoredEvent } from '../feed/event-body.ts';
import { signatureHeaders } from './signature.ts';

/** Of an answer, so much is read and so much is kept (contract 6). */
const READ_MAX_BYTES = 20_000;
const KEPT_MAX_BYTES = 4_000;

/** One attempt that is to be made now. */
export interface Attempt extends StoredEvent {
  /** Of the row that waits for it; a first attempt has none yet. */
  readonly id?: string;
  readonly eventId: string;
  /** From 1. */
  readonly attempt: number;
  readonly trigger: 'scheduled' | 'manual';
  /** Of an event that comes up for the first time: its place in the order. */
  readonly position?: number;
}

/** How an attempt went. */
export interface Made {
  readonly attempt: Attempt;
  /** Of this attempt: its log row, and what the receiver was told. */
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

/** Posts an event to a receiver, signed anew. Never rejects: whatever happens is how it went. */
export async function attemptDelivery(
  target: Target,
  attempt: Attempt,
  { outbound, clock, timeoutMs, signal }: AttemptDeps,
): Promise<Made> {
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
  const made = { attempt, id, at, durationMs };
  return 'failure' in answer
    ? { ...made, ...NO_ANSWER, error: answer.failure }
    : { ...made, ...outcomeOf(answer, clock()) };
}

const NO_ANSWER = {
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
    responseBody: keptOf(body),
    error: succeeded ? null : `the receiver answered ${status}`,
    retryAfterMs: succeeded ? undefined : readRetryAfter(headers['retry-after'], now),
  };
}

/** As text that PostgreSQL can hold; a character that was cut through is left out. */
const keptOf = (body: Buffer): string =>
  body
    .subarray(0, KEPT_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
    .replaceAll('\0', '');
