import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Cost } from '#core/endpoint/route.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { takesFile, type FileBody } from '#core/endpoint/file-body.ts';
import { Fault, invalid, notFound } from '#core/fault.ts';
import { check, issuesOf } from '#core/schema/check.ts';
import { request } from '#core/schema/schema.ts';
import type { Tools } from '#core/tools.ts';
import type { Transact, View } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { readQuery } from '#lib/query-string.ts';
import { BODY_LIMIT_BYTES, type CheckedBody, parseJson } from '../body/read.ts';
import type { PathParams } from '../funnel.ts';

/** The parts of the server that every call uses. */
export interface CallDeps {
  readonly transact: Transact;
  readonly openView: (subAccountId: string, now: Date) => View;
  /** For lists and searches, which may be read from a replica. */
  readonly openListView: (subAccountId: string, now: Date) => View;
  readonly clock: () => Date;
  readonly tools: Tools;
  /** The public address, without a slash at its end. It is known once the server listens. */
  readonly baseUrl: () => string;
  /** Seals cursors; the same in every process. */
  readonly cursorSecret: KeyObject;
}

const NO_MEMBERS = request({});

/** Throws NOT_FOUND for a malformed id, as for an unknown one (contract 4). */
export function checkParams(
  { params, path }: Pick<Endpoint, 'params' | 'path'>,
  values: PathParams,
): void {
  if (params && issuesOf(params, values).length > 0) {
    throw notFound(nounOf(path));
  }
}

/** `/api/v1/opportunities/:id` names an opportunity. */
const nounOf = (path: string): string => {
  const [, plural = 'records'] = /\/([a-z-]+)\/:[^/]*(?:\/[a-z-]+)*$/.exec(path) ?? [];
  return plural.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ');
};

/** Returns the query parameters. Throws VALIDATION_ERROR. */
export const checkedQuery = (
  { query = NO_MEMBERS }: Pick<Endpoint, 'query'>,
  search: URLSearchParams,
): any => check(query, readQuery(query, search), 'query');

/** Returns how large the body of an endpoint may be. */
export const bodyLimitOf = (endpoint: Pick<Endpoint, 'body'>, { files }: Tools): number =>
  takesFile(endpoint) ? files.maxBytes : BODY_LIMIT_BYTES;

/** Returns the JSON body, or the file. Throws VALIDATION_ERROR or UNSUPPORTED_MEDIA_TYPE. */
export function checkedBody(
  {
    body: schema,
    bodyOptional,
    data,
  }: Pick<Endpoint, 'body' | 'data'> & { readonly bodyOptional?: true | undefined },
  { headers }: IncomingMessage,
  bytes: Buffer,
): CheckedBody {
  if (takesFile({ body: schema })) {
    return fileIn(headers, bytes);
  }
  const body = parseJson(bytes, headers['content-type']);
  if (body === undefined && schema !== undefined && !bodyOptional) {
    throw invalid([{ in: 'body', path: '', message: 'is required; send a JSON object' }]);
  }
  const given = body === undefined ? {} : body;
  return check(schema ?? NO_MEMBERS, given, 'body', membersOf(data)) as CheckedBody;
}

function fileIn({ 'content-type': type = '' }: IncomingHttpHeaders, bytes: Buffer): FileBody {
  if (bytes.length === 0) {
    throw invalid([{ in: 'body', path: '', message: 'is required; send the bytes of the file' }]);
  }
  return { id: newId(new Date()), bytes, type };
}

/** What a response has but a request must not send is read-only. */
const membersOf = (data: unknown): readonly string[] =>
  Object.keys((data as { properties?: object } | null)?.properties ?? {});

interface CostInput {
  readonly params: PathParams;
  readonly search: URLSearchParams;
  readonly now: Date;
}

/** Returns how many requests a call counts as. A malformed query is refused later and counts as one. */
export function costOf(
  endpoint: Pick<Endpoint, 'query'> & { readonly cost?: Cost<any, any> },
  { params, search, now }: CostInput,
): number {
  if (!endpoint.cost) {
    return 1;
  }
  try {
    return endpoint.cost(checkedQuery(endpoint, search), { params, now });
  } catch (error) {
    if (error instanceof Fault) {
      return 1;
    }
    throw error;
  }
}

/** Returns the first value of a request header. */
export const header = (node: IncomingMessage, name: string): string | undefined =>
  [node.headers[name]].flat()[0];
