import { type CallResponse, baseHeaders, type Headers, errorText } from './response.ts';
import type { IncomingMessage } from 'node:http';
import { FastResponse } from 'srvx';
import type { Document } from '#core/endpoint/reply.ts';
import { LONG_TEXT } from '#core/schema/json.ts';
import type { Fault, Issue } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { Logger, RequestLine } from '../config/logger.ts';
import { observeRequest } from '../metrics/counters.ts';
import type { AllowList } from '../outbound/guard.ts';
import { currentActivity, untilEscaped } from '../process/activity.ts';
import { bytesOf, encoded } from './compress.ts';
import { faultOf, helpLink } from './errors.ts';
import { visitorAddress } from './visitor-address.ts';

/** A request in progress: the headers of its response, and the fields of its log line. */
export interface RequestContext {
  readonly requestId: string;
  readonly headers: Headers;
  keyId?: string;
  keyPrefix?: string | undefined;
  address?: string | undefined;
  /** Which content codings the client reads. */
  acceptEncoding?: string | undefined;
  userId?: string;
  subAccountId?: string;
  /** The requested path as it may be logged, of a path that does not exist. */
  unknownPath?: string;
  /** Returns the error page, if the endpoint is a page. */
  errorPage?: ((fault: Fault) => Document | undefined | Promise<Document>) | undefined;
}

/** A request of a known path. */
export interface RoutedRequest {
  readonly context: RequestContext;
  readonly params: PathParams;
  /** The requested path, with its ids. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly node: IncomingMessage;
}

export type PathParams = Readonly<Record<string, string>>;

export interface Logs {
  readonly log: Logger;
  /** For request lines: they contain nothing private, and redaction would cost 10 µs each. */
  readonly requests: Logger;
}

export const logsOf = (log: Logger): Logs => ({ log, requests: log.child({}, { redact: [] }) });

interface RespondOptions {
  readonly method: string;
  /** The pattern, not the path: paths contain ids. */
  readonly route: string;
}

/** The funnel: turns what `answer` returns or throws into a complete response. Never rejects. */
export async function respond(
  { log, requests }: Logs,
  asked: RespondOptions,
  answer: (context: RequestContext) => CallResponse | Promise<CallResponse>,
): Promise<Response> {
  const started = performance.now();
  const requestId = currentActivity()?.id ?? crypto.randomUUID();
  const context: RequestContext = { requestId, headers: baseHeaders(requestId) };
  const { headers } = context;
  let status: number;
  let text: string | Buffer;
  let stream: ReadableStream<Uint8Array> | undefined;
  let refusal: Refusal | undefined;
  let isDocument = false;
  try {
    const answered = await untilEscaped(() => answer(context));
    ({ status, text, stream } = answered);
    Object.assign(headers, stream && STREAM, answered.headers);
    if (answered.replayed) {
      headers['idempotent-replayed'] = 'true';
    }
    if (status >= 400) {
      refusal = refusalIn(text.toString());
      Object.assign(headers, refusal && helpLink(refusal));
    }
    if (answered.document) {
      isDocument = true;
      text = answered.document.body;
      Object.assign(headers, documentHeaders(answered.document));
    }
  } catch (error) {
    const fault = faultOf(error, log, requestId);
    refusal = fault;
    ({ status } = fault);
    const page = await context.errorPage?.(fault);
    isDocument = page !== undefined;
    text = page ? page.body : errorText(fault);
    Object.assign(headers, page ? documentHeaders(page) : helpLink(fault), fault.headers);
  }
  const bytes = isDocument ? await encoded(text, headers, context.acceptEncoding) : bodyOf(text);
  const body = stream ?? (BODILESS.has(status) ? null : bytes);
  if (body === null) {
    delete headers['content-type'];
  } else if (!stream) {
    headers['content-length'] = String(Buffer.byteLength(bytes));
  }
  const ms = Math.round((performance.now() - started) * 10) / 10;
  observeRequest(asked, status, ms);
  logRequest(requests, lineOf(context, asked, { status, ms }), refusal);
  return new FastResponse(asked.method === 'HEAD' ? withoutBody(stream) : body, {
    status,
    headers,
  });
}

/** h3 drops the body of a response to HEAD, but leaves it open: a file, a query or an event stream. */
function withoutBody(stream: ReadableStream<Uint8Array> | undefined): null {
  stream?.cancel().catch(() => undefined);
  return null;
}

/**
 * A short text is written together with the headers: one string costs less than a list of two buffers.
 * Of a long one, node:http would allocate three times its length.
 */
const bodyOf = (text: string | Buffer): string | Buffer =>
  text.length < LONG_TEXT ? text : bytesOf(text);

/** The request's line of the log. */
function lineOf(
  context: RequestContext,
  { method, route }: RespondOptions,
  { status, ms }: Pick<RequestLine, 'status' | 'ms'>,
): RequestLine {
  const { requestId, keyId, keyPrefix, userId, address, unknownPath: path } = context;
  // Pages such as /docs belong to no sub-account.
  const subAccountId = context.subAccountId === AGENCY ? undefined : context.subAccountId;
  const caller = { keyId, keyPrefix, userId, subAccountId, address };
  return { requestId, method, route, ...(path !== undefined && { path }), status, ms, ...caller };
}

/** Returns the error of a stored or deferred refusal; undefined if the text is no error envelope. */
function refusalIn(text: string): Refusal | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Refusal };
    return typeof error?.code === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Statuses of responses without a body (RFC 9110). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** Keeps proxies from buffering events. */
const STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

const documentHeaders = ({ type, headers }: Document) => ({ 'content-type': type, ...headers });

/** The part of a Fault that is logged. */
type Refusal = Pick<Fault, 'code' | 'message' | 'details'>;

/** Routes of probes and polling programs, which would fill the log. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/api/v1/events', '/api/chat/messages']);

/** Writes the one line of a request; a refusal adds its code and its first issues. */
export function logRequest(requests: Logger, line: RequestLine, fault: Refusal | undefined): void {
  const isQuiet = fault === undefined && line.method === 'GET' && QUIET.has(line.route);
  const entry = fault ? { ...line, code: fault.code, reason: reasonOf(fault) } : line;
  if (isQuiet) {
    requests.debug(entry, 'request');
  } else {
    requests.info(entry, 'request');
  }
}

/** The end of a message that has more issues than the one it names. */
const OTHER_ISSUES = / \(and (\d+) more issues?\)$/;
const LOGGED_ISSUES_MAX = 5;

function reasonOf({ message, details }: Refusal): string {
  const { issues = [] } = (details ?? {}) as { readonly issues?: readonly Issue[] };
  if (issues.length === 0) {
    return message;
  }
  const logged = issues.slice(0, LOGGED_ISSUES_MAX);
  const all = 1 + Number(OTHER_ISSUES.exec(message)?.[1] ?? 0);
  const others = all - logged.length;
  const text = logged.map((issue) => `${issue.in}${issue.path} ${issue.message}`).join('; ');
  return others > 0 ? `${text} (and ${others} more)` : text;
}

/** The prefix and first characters of a key, as lists show them; the rest is secret. */
const SHOWN_KEY = /^Bearer (sk_(?:agency_|oauth_)?(?:live|test)_[\dA-Za-z]{4})/i;

/** Returns the caller's address, key prefix and content codings, before anything is checked. */
export const callerOf = (node: IncomingMessage, proxies: AllowList) => ({
  address: visitorAddress(node, proxies),
  keyPrefix: SHOWN_KEY.exec(node.headers.authorization ?? '')?.[1],
  acceptEncoding: node.headers['accept-encoding'],
});
