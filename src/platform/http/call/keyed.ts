import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { PrepareContext } from '#core/endpoint/call.ts';
import type { Caller, KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { check, issuesOf } from '#core/schema/check.ts';
import { Fault, invalid, notFound } from '#core/fault.ts';
import { readQuery } from '#lib/query-string.ts';
import { request } from '#core/schema/schema.ts';
import type { Tools } from '#core/tools.ts';
import type { Actor, Transact, View, Work } from '#core/work.ts';
import { answered, settled, type Answered } from '../answer.ts';
import { repeatableOf } from './idempotency.ts';
import { openPage } from './page.ts';
import { BODY_LIMIT_BYTES, parseJson, readBytes } from '../body/read-body.ts';
import type { CheckedBody } from '../body/read-form.ts';
import { repeatably } from './repeatably.ts';

export interface CallDeps {
  readonly transact: Transact;
  readonly openView: (subAccountId: string, now: Date) => View;
  /** For lists and searches, which a replica may answer. */
  readonly openListView: (subAccountId: string, now: Date) => View;
  readonly clock: () => Date;
  readonly tools: Tools;
  /** The public address, which is known once the server listens. */
  readonly baseUrl: () => string;
  /** Seals cursors; the same in every process. */
  readonly cursorSecret: KeyObject;
}

/** One admitted request. */
export interface Request {
  readonly requestId: string;
  readonly caller: Caller;
  /** How much of the call's cost was granted. */
  readonly granted: number;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly node: IncomingMessage;
}

/** Checks path, query and body in that order, then lets the endpoint read or write. */
export async function call(
  deps: CallDeps,
  endpoint: KeyedEndpoint,
  request: Request,
): Promise<Answered> {
  checkParams(endpoint, request);
  // A lookup by POST with an idempotency key is replayed like a write (contract 4).
  return endpoint.rate === 'read' && keyOf(endpoint, request) === undefined
    ? read(deps, endpoint, request)
    : write(deps, endpoint, request);
}

const keyOf = ({ method }: KeyedEndpoint, { node }: Request): string | undefined =>
  method === 'POST' ? header(node, 'idempotency-key') : undefined;

type KeyedReadEndpoint = KeyedEndpoint & { readonly rate: 'read' };

async function read(
  deps: CallDeps,
  endpoint: KeyedReadEndpoint,
  request: Request,
): Promise<Answered> {
  const { caller, granted, params } = request;
  const openView = endpoint.paged === true ? deps.openListView : deps.openView;
  const view = openView(caller.subAccountId, deps.clock());
  const { page, ...given } = await reportUnknownFirst(endpoint, request, view, async () => {
    const query = checkedQuery(endpoint, request);
    const body = endpoint.body && check(endpoint.body, await readJson(request), 'body');
    const opened = endpoint.paged && openPage(deps.cursorSecret, endpoint, view, { params, query });
    return { query, body, after: opened?.after, page: opened };
  });
  const { tools, baseUrl } = deps;
  const called = { ...given, caller, granted, params, tools, baseUrl: baseUrl() };
  const reply = await endpoint.read({ ...called, view });
  return answered(endpoint, await settled(view, page ? page.sealed(reply) : reply));
}

async function write(deps: CallDeps, endpoint: KeyedEndpoint, request: Request): Promise<Answered> {
  const { caller, granted, params, node, requestId } = request;
  const { keyId, keyPrefix, subAccountId } = caller;
  const actor: Actor = { kind: 'key', name: keyId, keyPrefix, requestId, operation: endpoint.id };
  const view = deps.openView(subAccountId, deps.clock());
  const bytes = await reportUnknownFirst(endpoint, request, view, () =>
    readBytes(node, BODY_LIMIT_BYTES),
  );
  const change = (one: (work: Work) => Promise<void>) => deps.transact(subAccountId, actor, one);
  const prepared = await prepareWrite(endpoint, request, bytes, {
    view,
    tools: deps.tools,
    change,
  });

  const run = async (work: Work): Promise<Reply> => {
    if ('refusal' in prepared) {
      await endpoint.assertExists?.(work, params);
      throw prepared.refusal;
    }
    const { tools, baseUrl } = deps;
    const checked = { ...prepared, caller, granted, params, tools, baseUrl: baseUrl() };
    return endpoint.write
      ? endpoint.write({ ...checked, work })
      : endpoint.read({ ...checked, after: undefined, view: work });
  };
  const key = keyOf(endpoint, request);
  if (key === undefined) {
    return deps.transact(subAccountId, actor, run, async (after, reply) =>
      answered(endpoint, await settled(after, reply)),
    );
  }
  const repeatable = repeatableOf(key, keyId, request.path, bytes);
  return repeatably(deps.transact, { endpoint, repeatable, subAccountId, actor, run });
}

/** The checked parts of a write, or why it is refused. */
type Prepared = { readonly query: any; readonly body: any } | { readonly refusal: Fault };

/**
 * Checks a write and prepares what it relies on, before its transaction begins. A refusal is
 * returned, not thrown: a replay of an earlier response comes before it, and the transaction may
 * store it for the caller's idempotency key.
 */
async function prepareWrite(
  endpoint: KeyedEndpoint,
  request: Request,
  bytes: Buffer,
  context: PrepareContext,
): Promise<Prepared> {
  const { params } = request;
  const { tools } = context;
  try {
    const query = checkedQuery(endpoint, request);
    const body = checkedBody(endpoint, request, bytes);
    const refusal = await endpoint.precheck?.({ params, query, body, tools });
    if (refusal) {
      return { refusal };
    }
    await endpoint.prepare?.({ params, query, body, ...context });
    return { query, body };
  } catch (error) {
    if (error instanceof Fault) {
      return { refusal: error };
    }
    throw error;
  }
}

/** Runs the checks of a call; an unknown id is reported before what they refuse (contract 4). */
async function reportUnknownFirst<T>(
  { assertExists }: KeyedEndpoint,
  { params }: Request,
  view: View,
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await assertExists?.(view, params);
    throw error;
  }
}

const NOTHING = request({});

type BodyEndpoint = Pick<Endpoint, 'body'> & { readonly bodyOptional?: true };

export const checkedBody = (
  endpoint: BodyEndpoint,
  { node }: Pick<Request, 'node'>,
  bytes: Buffer,
): CheckedBody =>
  check(endpoint.body ?? NOTHING, bodyOf(endpoint, bytes, node), 'body') as CheckedBody;

function bodyOf(endpoint: BodyEndpoint, bytes: Buffer, node: IncomingMessage): unknown {
  const body = parseJson(bytes, node.headers['content-type']);
  if (body === undefined && (endpoint.body === undefined || endpoint.bodyOptional)) {
    return {};
  }
  if (body === undefined) {
    throw invalid([{ in: 'body', path: '', message: 'is required' }]);
  }
  return body;
}

const readJson = async ({ node }: Request) =>
  parseJson(await readBytes(node, BODY_LIMIT_BYTES), node.headers['content-type']);

/** A malformed id is an id of nothing (contract 4). */
export function checkParams(
  { params }: Pick<Endpoint, 'params'>,
  request: Pick<Request, 'params'>,
): void {
  if (params && issuesOf(params, request.params).length > 0) {
    throw notFound('record');
  }
}

export function checkedQuery(
  { query = NOTHING }: Pick<Endpoint, 'query'>,
  { search }: Pick<Request, 'search'>,
): any {
  return check(query, readQuery(query, search), 'query');
}

export const header = (node: IncomingMessage, name: string): string | undefined =>
  [node.headers[name]].flat()[0];
