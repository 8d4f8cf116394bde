import type { Fault } from '#core/fault.ts';
import type { Document, DeferredData, Download, Reply } from '#core/endpoint/reply.ts';
import type { Spent } from '#core/rate-limit.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { jsonContent } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';

/** What a call returns to the funnel: a status and an envelope, a document or a stream. */
export interface CallResponse {
  readonly status: number;
  /** A long text is UTF-8. */
  readonly text: string | Buffer;
  /** The text is the stored response of an earlier request. */
  readonly replayed?: true;
  readonly document?: Document;
  readonly stream?: ReadableStream<Uint8Array>;
  /** The stream is a file, which ends. */
  readonly isDownload?: true;
  readonly headers?: Readonly<Headers>;
}

export type Headers = Record<string, string>;

const BASE: Readonly<Headers> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-api-version': 'v1',
  'x-content-type-options': 'nosniff',
};

/** The headers of every response. */
export const baseHeaders = (requestId: string): Headers => ({ ...BASE, 'x-request-id': requestId });

/** `X-RateLimit-Reset` is in epoch seconds (spec "Rate limiting"). */
export function setRateHeaders(
  headers: Headers,
  limit: number,
  { remaining, resetsAt }: Spent,
): void {
  headers['x-ratelimit-limit'] = String(limit);
  headers['x-ratelimit-remaining'] = String(remaining);
  headers['x-ratelimit-reset'] = String(Math.ceil(resetsAt / 1_000));
}

const PREFLIGHT_SECONDS = '7200';

/**
 * Lets scripts of any website call and read the response, including errors. Public endpoints use no
 * cookies, so a script can do no more than any program. Returns the response to a preflight.
 */
export function allowAnyOrigin(headers: Headers, methods: readonly string[] = []): CallResponse {
  headers['access-control-allow-origin'] = '*';
  headers['access-control-expose-headers'] = EXPOSED;
  if (methods.length > 0) {
    headers['access-control-allow-methods'] = methods.join(', ');
    headers['access-control-allow-headers'] = 'content-type, idempotency-key, last-event-id';
    headers['access-control-max-age'] = PREFLIGHT_SECONDS;
  }
  return { status: 204, text: '' };
}

const EXPOSED =
  'Idempotent-Replayed, Link, Retry-After, X-API-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

/** Returns the error envelope. */
export function errorText(fault: Fault): string {
  const { code, message } = fault;
  const details = detailsOf(fault);
  return JSON.stringify({ error: { code, message, ...(details && { details }) } });
}

/** Every VALIDATION_ERROR has issues; that of a rule about the whole request repeats the message. */
const detailsOf = ({ code, message, details }: Fault): object | undefined =>
  code === 'VALIDATION_ERROR' && !(details && 'issues' in details)
    ? { issues: [{ in: 'body', path: '', message }], ...details }
    : details;

const downloadHeaders = ({ type, fileName, isInline, headers }: Download): Headers => ({
  'content-type': type,
  'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${fileNameParameters(fileName)}`,
  ...headers,
});

/** The name in ASCII, and as it is for browsers that read RFC 8187. */
function fileNameParameters(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return ascii === name
    ? `filename="${name}"`
    : `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`;
}

const percent = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;

/** Returns the reply with its data, which may be read only after the change is written. */
export async function withData(view: View, { data, ...rest }: Reply): Promise<Reply> {
  return { ...rest, data: typeof data === 'function' ? await (data as DeferredData)(view) : data };
}

const START_OF_ENVELOPE = Buffer.from('{"data":');

/** Puts the data of a reply into the envelope of its endpoint. */
export function responseOf(endpoint: Endpoint, reply: Reply): CallResponse {
  const { data, meta, document, download, refusal, headers } = reply;
  if (refusal) {
    return { status: refusal.status, text: errorText(refusal) };
  }
  const status = reply.status ?? endpoint.status ?? 200;
  if (document) {
    return { status, text: '', document };
  }
  if (download) {
    const headersOfFile = downloadHeaders(download);
    return { status, text: '', stream: download.stream, isDownload: true, headers: headersOfFile };
  }
  if (endpoint.bare) {
    return { status, text: jsonContent(data), ...(headers && { headers }) };
  }
  const content = jsonContent(data);
  const tail = meta ? `,"meta":${JSON.stringify(meta)}}` : '}';
  const text =
    typeof content === 'string'
      ? `{"data":${content}${tail}`
      : Buffer.concat([START_OF_ENVELOPE, content, Buffer.from(tail)]);
  return { status, text, ...(headers && { headers }) };
}
