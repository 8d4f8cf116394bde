import { FastResponse } from 'srvx';
import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { currentActivity, untilEscaped } from '../process/activity.ts';
import type { Logger } from '../config/logger.ts';
import { observeRequest } from '../metrics/requests.ts';
import type { Answered } from './answer.ts';
import { baseHeaders, type Headers } from './headers.ts';
import { errorText, faultOf } from './errors/refusal.ts';
import { logRequest } from './request-log.ts';

/** One request on its way through: what every answer to it carries, and what its log line says. */
export interface RequestContext {
  readonly requestId: string;
  readonly headers: Headers;
  keyId?: string;
  keyPrefix?: string | undefined;
  address?: string | undefined;
  subAccountId?: string;
  /** Of a page: how a refusal looks. */
  errorPage?: (fault: Fault) => Document;
}

export interface Logs {
  readonly log: Logger;
  /** Of one line per request: nothing private stands in it, and looking for it would cost 10 µs. */
  readonly requests: Logger;
}

export const logsOf = (log: Logger): Logs => ({ log, requests: log.child({}, { redact: [] }) });

interface RespondOptions {
  readonly method: string;
  /** The pattern, not the path: paths hold ids. */
  readonly route: string;
}

/** The funnel: whatever `answer` returns or throws leaves whole, with every header. Never rejects. */
export async function respond(
  { log, requests }: Logs,
  asked: RespondOptions,
  answer: (context: RequestContext) => Answered | Promise<Answered>,
): Promise<Response> {
  const { method, route } = asked;
  const started = performance.now();
  const requestId = currentActivity()?.id ?? crypto.randomUUID();
  const context: RequestContext = { requestId, headers: baseHeaders(requestId) };
  const { headers } = context;
  let status: number;
  let text: string | Buffer;
  let stream: ReadableStream<Uint8Array> | undefined;
  let refusal: Fault | undefined;
  try {
    const answered = await untilEscaped(() => answer(context));
    ({ status, text, stream } = answered);
    if (answered.replayed) {
      headers['idempotent-replayed'] = 'true';
    }
    if (answered.document) {
      text = answered.document.body;
      Object.assign(headers, documentHeaders(answered.document));
    }
  } catch (error) {
    const fault = faultOf(error, log, requestId);
    refusal = fault;
    ({ status } = fault);
    const page = context.errorPage?.(fault);
    text = page ? page.body : errorText(fault);
    Object.assign(headers, page && documentHeaders(page), fault.headers);
  }
  // Bytes, not text: node:http would reserve three times its length to send it behind the headers.
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const body = stream ?? (BODILESS.has(status) ? null : bytes);
  if (stream) {
    Object.assign(headers, STREAM);
  } else if (body === null) {
    delete headers['content-type'];
  } else {
    headers['content-length'] = String(bytes.length);
  }
  const ms = Math.round((performance.now() - started) * 10) / 10;
  const { keyId, keyPrefix, subAccountId, address } = context;
  observeRequest(asked, status, ms);
  const line = { requestId, method, route, status, ms, keyId, keyPrefix, subAccountId, address };
  logRequest(requests, line, refusal);
  return new FastResponse(body, { status, headers });
}

/** Answers that say nothing of a content (RFC 9110). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** Nothing on the way may hold events back until there are more of them. */
const STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

const documentHeaders = ({ type, headers }: Document) => ({ 'content-type': type, ...headers });
