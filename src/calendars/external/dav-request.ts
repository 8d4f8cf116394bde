import type { OutboundAnswer, OutboundRequest } from '#core/outbound.ts';
import type { ExternalSetup } from './external-setup.ts';
import { CALENDAR_MAX_BYTES, type FetchOptions } from './fetch-ics.ts';
import type { DavResponse } from './parse-multistatus.ts';
import { readMultistatus } from './read-multistatus.ts';

export type Account = Pick<ExternalSetup, 'url' | 'user' | 'password'>;

/** A repeated PUT or DELETE would meet its own result: 412 or 404 after a success. */
const READS: ReadonlySet<string> = new Set(['GET', 'REPORT', 'PROPFIND']);

/** What is read of a body that is not used, so that the connection can be kept. */
const UNUSED_MAX_BYTES = 16_000;

interface DavRequest extends Pick<OutboundRequest, 'method'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly readMaxBytes?: number;
}

/** Sends a request through the guarded client, without following redirects. Throws without a response. */
export async function sendDav(
  url: string,
  { method, headers, body, readMaxBytes = UNUSED_MAX_BYTES }: DavRequest,
  { user, password }: Account,
  { outbound, ...options }: FetchOptions,
): Promise<OutboundAnswer> {
  const login = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64');
  const answer = await outbound.send({
    ...options,
    url,
    method,
    isRepeatable: READS.has(method),
    isPlainPublic: true,
    headers: { authorization: `Basic ${login}`, 'user-agent': 'Frontdesk/1.0', ...headers },
    ...(body !== undefined && { body }),
    readMaxBytes,
  });
  if ('failure' in answer) {
    throw new Error(answer.failure);
  }
  return answer;
}

/** Discovery returns a few hundred bytes for each calendar. */
const PROPFIND_MAX_BYTES = 500_000;

const MAX_BYTES = { PROPFIND: PROPFIND_MAX_BYTES, REPORT: CALENDAR_MAX_BYTES } as const;

interface DavQuery {
  readonly method: keyof typeof MAX_BYTES;
  /** 0 for the collection itself, 1 with its members. */
  readonly depth: '0' | '1';
  /** The element of the request, which uses the prefixes `d` and `c`. */
  readonly body: string;
}

/** The response to a query; its responses are undefined if it is not a multistatus. */
export interface DavAnswer {
  readonly status: number;
  readonly responses: readonly DavResponse[] | undefined;
}

/** Queries a collection. Throws if there is no response, or if it cannot be read. */
export async function queryDav(
  url: string,
  { method, depth, body }: DavQuery,
  account: Account,
  options: FetchOptions,
): Promise<DavAnswer> {
  const bytesMax = MAX_BYTES[method];
  const answer = await sendDav(
    url,
    {
      method,
      headers: { depth, 'content-type': 'text/xml;charset=UTF-8' },
      body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
      readMaxBytes: bytesMax + 1,
    },
    account,
    options,
  );
  const { status } = answer;
  if (answer.body.length > bytesMax) {
    throw new Error(`it is larger than ${bytesMax / 1_000_000} MB`);
  }
  const isMultistatus = status >= 200 && status < 300 && isXml(answer);
  return { status, responses: isMultistatus ? await responsesOf(answer, options) : undefined };
}

const MULTISTATUS = 207;

/** Some servers return nothing instead of an empty multistatus. With another status, nothing is unclear. */
const isXml = ({ status, headers, body }: OutboundAnswer): boolean =>
  body.length === 0
    ? status === MULTISTATUS
    : (headers['content-type'] ?? '').toLowerCase().includes('xml');

const responsesOf = async ({ body }: OutboundAnswer, options: FetchOptions) =>
  body.length === 0 ? [] : readMultistatus(body, options);

/** The namespaces of requests. */
export const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';
