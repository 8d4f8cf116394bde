import type { JobContext } from '#core/job.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { headerSafe } from '#lib/header-safe.ts';
import { mergedSubject, mergedText, refuseLongText, type MergeValues } from '#lib/merge-fields.ts';
import { mergedUrl, urlRefusal } from '#lib/merge-url.ts';
import { readRetryAfter, waitAfter } from '#lib/retry-wait.ts';
import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { lockRun, type LockedRun, letWait, moveOn, refusal } from '../runs/run.store.ts';
import { numberOf, stepAt, type Place } from '../definition/places.ts';
import { openedHeaders } from '../definition/http-headers.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { valuesOf } from './merge-values.ts';

const READ_MAX_BYTES = 4_000;
const SHOWN_MAX = 200;
/** After all connections to the server were in use. */
const NO_CONNECTION_WAIT_MS = 5 * SECOND_MS;

/** The call of an http step. */
export interface Call extends Pick<OutboundRequest, 'url' | 'method' | 'body'> {
  readonly runId: string;
  readonly place: Place;
  /** Decrypts the sealed headers, right before the call. */
  readonly headers: (secrets: Secrets) => Readonly<Record<string, string>>;
}

/**
 * Returns the call of the current step. Every attempt has the same `Idempotency-Key`. Throws a refusal
 * if values would choose the host, or another path.
 */
export async function callOf(work: Work, locked: LockedRun): Promise<Call> {
  const { run } = locked;
  const http = (stepAt(run.steps, run.place) as Step).http ?? { url: '' };
  const { url, method = 'POST', body } = http;
  const values = await valuesOf(work, locked);
  const isText = typeof body === 'string';
  const refused = urlRefusal(url, values);
  if (refused !== undefined) {
    throw refusal(refused);
  }
  return {
    runId: run.id,
    place: run.place,
    method,
    url: mergedUrl(url, values),
    ...(body !== undefined && {
      body: isText ? mergedText(body, values) : JSON.stringify(mergedBody(body, values)),
    }),
    headers: (secrets) => ({
      'user-agent': 'Frontdesk',
      ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
      ...merged(openedHeaders(http, run.workflowId, secrets), values),
      'idempotency-key': `${run.id}${run.place}`,
    }),
  };
}

const merged = (headers: Readonly<Record<string, string>>, values: MergeValues) => {
  const merge = limited((text) => headerSafe(mergedSubject(text, values)));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), merge(value)]),
  );
};

/** Merges all strings of a body. Throws a refusal if they are too long together. */
function mergedBody(body: unknown, values: MergeValues): unknown {
  const merge = limited((text) => mergedText(text, values));
  return mergedDeep(body, merge);
}

function mergedDeep(body: unknown, merge: (text: string) => string): unknown {
  if (typeof body === 'string') {
    return merge(body);
  }
  if (Array.isArray(body)) {
    return body.map((one) => mergedDeep(one, merge));
  }
  return typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).map(([name, one]) => [name, mergedDeep(one, merge)]))
    : body;
}

/** Returns the function with a limit on the sum of its results. */
function limited(merge: (text: string) => string): (text: string) => string {
  let length = 0;
  return (text) => {
    const result = merge(text);
    length += result.length;
    refuseLongText(length);
    return result;
  };
}

/** Makes the call and records its outcome. After a crash in between, the call is repeated. */
export async function callOut(
  { runId, place, headers, ...request }: Call,
  subAccountId: string,
  { tools, settings, signal, transact, actor, log }: JobContext,
): Promise<'next' | 'rest'> {
  const answer = await tools.outbound.send({
    ...request,
    subAccountId,
    isRepeatable: request.method === 'GET',
    headers: headers(tools.secrets),
    timeoutMs: settings.webhookTimeout,
    readMaxBytes: READ_MAX_BYTES,
    signal,
  });
  signal.throwIfAborted();
  const { next, again } = await transact(subAccountId, actor, async (work): Promise<Conclusion> => {
    const locked = await lockRun(work, runId);
    return locked?.run.place === place
      ? conclude(work, locked, answer, settings.sendRetries)
      : { next: 'rest' };
  });
  if (again) {
    const step = numberOf(place);
    log.warn({ subAccountId, runId, step, ...again }, 'call of a workflow failed; trying again');
  }
  return next;
}

interface Conclusion {
  readonly next: 'next' | 'rest';
  /** The failed attempt, for the log: the body of the response may name a person. */
  readonly again?: {
    readonly attempt: number;
    readonly reason: string;
    readonly retryInSeconds: number;
  };
}

function conclude(
  work: Work,
  { run }: LockedRun,
  answer: OutboundAnswer | OutboundFailure,
  steps: readonly number[],
): Conclusion {
  if ('failure' in answer && answer.hadNoConnection) {
    // Not an attempt: it says nothing about the server.
    letWait(work, run, { dueAt: new Date(work.now.getTime() + NO_CONNECTION_WAIT_MS) });
    return { next: 'rest' };
  }
  const attempt = run.attempts + 1;
  const { isDone, isTemporary, summary, retryAfterMs } = judge(answer, work.now);
  const wait = isTemporary
    ? waitAfter({ attempt, steps, retryAfterMs, random: Math.random() })
    : undefined;
  if (wait !== undefined) {
    letWait(work, run, { dueAt: new Date(work.now.getTime() + wait), attempts: attempt });
    const reason = 'failure' in answer ? answer.failure : String(answer.status);
    return { next: 'rest', again: { attempt, reason, retryInSeconds: Math.round(wait / 1000) } };
  }
  const detail = attempt > 1 ? `${summary}; attempt ${attempt}` : summary;
  moveOn(work, run, { outcome: isDone ? 'done' : 'failed', detail });
  return { next: 'next' };
}

/** Retryable statuses below 500, as for messages (contract 5). */
const TEMPORARY = new Set([408, 429]);

function judge(answer: OutboundAnswer | OutboundFailure, now: Date) {
  if ('failure' in answer) {
    return { isDone: false, isTemporary: true, summary: answer.failure, retryAfterMs: undefined };
  }
  const { status, headers, body } = answer;
  const shown = body.subarray(0, SHOWN_MAX).toString('utf8').replaceAll('\0', '').trim();
  return {
    isDone: status >= 200 && status < 300,
    isTemporary: TEMPORARY.has(status) || status >= 500,
    summary: shown ? `${status}: ${shown}` : String(status),
    retryAfterMs: readRetryAfter(headers['retry-after'], now),
  };
}
