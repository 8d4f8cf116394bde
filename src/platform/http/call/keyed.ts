import { dryRun } from '../../database/dry-run.ts';
import { type CallResponse, responseOf, withData } from '../response.ts';
import type {
  ConsoleCaller,
  SessionCallEndpoint,
  SessionPrepareContext,
} from '#core/endpoint/console-endpoint.ts';
import type { Caller, KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, invalid } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import type { Actor, View, Work } from '#core/work.ts';
import { BODY_LIMIT_BYTES, parseJson } from '../body/read.ts';
import { readVerified } from '../body/read-verified.ts';
import type { RoutedRequest } from '../funnel.ts';
import { repeatableOf, writeOnce } from '../idempotency.ts';
import { checkDownload } from './check-download.ts';
import {
  bodyLimitOf,
  checkedBody,
  checkedQuery,
  checkParams,
  header,
  type CallDeps,
} from './checks.ts';
import type { KeyObject } from 'node:crypto';
import { openCursor, sealCursor } from '#lib/cursor.ts';

/** An endpoint whose calls are admitted first: by a key or a session. */
export type AdmittingEndpoint = KeyedEndpoint | SessionCallEndpoint;

/** One admitted request. */
export interface AdmittedRequest extends Omit<RoutedRequest, 'context'> {
  readonly actor: Actor;
  readonly caller: Caller;
  /** How much of the call's cost was granted. */
  readonly granted: number;
  /** Throws a Fault if the caller may no longer call: a sender can delay the end of a body by a minute. */
  readonly admitAgain?: () => Promise<void>;
}

/** Checks path, query and body in this order, then runs the endpoint's `read` or `write`. */
export async function callKeyed(
  deps: CallDeps,
  endpoint: AdmittingEndpoint,
  request: AdmittedRequest,
): Promise<CallResponse> {
  checkParams(endpoint, request.params);
  // A lookup by POST with an idempotency key is replayed like a write (contract 4).
  return endpoint.rate === 'read' && keyOf(endpoint, request) === undefined
    ? read(deps, endpoint, request)
    : write(deps, endpoint, request);
}

/** A dry run writes nothing that a repeat could write again. */
const keyOf = (
  { method, dryRun: isDryRun }: AdmittingEndpoint,
  { node }: AdmittedRequest,
): string | undefined =>
  method === 'POST' && !isDryRun ? header(node, 'idempotency-key') : undefined;

/** Pages of a list without `limit`. A model reads all that its tool returns. */
const PAGE_BYTES = 4_000_000;
const PAGE_BYTES_OF_AGENTS = 100_000;

const pageBytesOf = ({ kind }: Actor): number =>
  kind === 'agent' ? PAGE_BYTES_OF_AGENTS : PAGE_BYTES;

type KeyedReadEndpoint = AdmittingEndpoint & { readonly rate: 'read' };

async function read(
  deps: CallDeps,
  endpoint: KeyedReadEndpoint,
  request: AdmittedRequest,
): Promise<CallResponse> {
  const { caller, granted, params } = request;
  const openView = endpoint.paged === true ? deps.openListView : deps.openView;
  const view = openView(caller.subAccountId, deps.clock());
  const { page, ...checked } = await reportUnknownFirst(endpoint, request, view, async () => {
    const query = checkedQuery(endpoint, request.search);
    const body = endpoint.body && check(endpoint.body, await readJson(endpoint, request), 'body');
    const opened = endpoint.paged && openPage(deps.cursorSecret, endpoint, view, { params, query });
    return { query, body, after: opened?.after, page: opened };
  });
  const { tools, baseUrl } = deps;
  const call = {
    ...checked,
    caller: asDeclared(caller),
    granted,
    params,
    tools,
    baseUrl: baseUrl(),
  };
  const { dryRun: tryOut } = endpoint;
  if (tryOut) {
    const { transact } = deps;
    const reply = await dryRun(
      transact,
      caller.subAccountId,
      request.actor,
      (work) => tryOut({ ...call, work }),
      withData,
    );
    return responseOf(endpoint, reply);
  }
  const bytesMax = pageBytesOf(request.actor);
  const reply = await endpoint.read({ ...call, bytesMax, view });
  const response = responseOf(endpoint, await withData(view, page ? page.sealed(reply) : reply));
  const { admitAgain } = request;
  return admitAgain && response.stream ? checkDownload(deps, response, admitAgain) : response;
}

async function write(
  deps: CallDeps,
  endpoint: AdmittingEndpoint,
  request: AdmittedRequest,
): Promise<CallResponse> {
  const { actor, caller, granted, params } = request;
  const { keyId, subAccountId } = caller;
  const view = deps.openView(subAccountId, deps.clock());
  const bytes = await reportUnknownFirst(endpoint, request, view, () =>
    readWhole(endpoint, request, bodyLimitOf(endpoint, deps.tools)),
  );
  const change = (one: (work: Work) => Promise<void>) => deps.transact(subAccountId, actor, one);
  const prepared = await prepareWrite(endpoint, request, bytes, {
    view,
    tools: deps.tools,
    change,
    caller: asDeclared(caller),
    baseUrl: deps.baseUrl(),
  });

  const run = async (work: Work): Promise<Reply> => {
    if ('refusal' in prepared) {
      await endpoint.assertExists?.(work, params);
      throw prepared.refusal;
    }
    const { tools, baseUrl } = deps;
    const call = { ...prepared, caller: asDeclared(caller), granted, params, tools };
    const checked = { ...call, baseUrl: baseUrl() };
    if (endpoint.write) {
      return endpoint.write({ ...checked, work });
    }
    // `callKeyed` sends no dry run here: the transaction commits.
    const bytesMax = pageBytesOf(actor);
    return endpoint.read!({ ...checked, after: undefined, bytesMax, view: work });
  };
  const key = keyOf(endpoint, request);
  if (key === undefined) {
    return deps.transact(subAccountId, actor, run, async (after, reply) =>
      responseOf(endpoint, await withData(after, reply)),
    );
  }
  const { path, search: query } = request;
  const repeatable = repeatableOf({ key, keyId, path, body: bytes, query });
  return writeOnce(deps.transact, { endpoint, repeatable, subAccountId, actor, run });
}

/** The checked parts of a write, or why it is refused. */
type Prepared = { readonly query: any; readonly body: any } | { readonly refusal: Fault };

/**
 * Runs the checks, `precheck` and `prepare` before the transaction begins. A refusal is returned, not
 * thrown: the replay of an earlier response takes precedence, and the transaction may store the
 * refusal for the idempotency key.
 */
async function prepareWrite(
  endpoint: AdmittingEndpoint,
  request: AdmittedRequest,
  bytes: Buffer,
  context: SessionPrepareContext,
): Promise<Prepared> {
  const { params } = request;
  const { tools } = context;
  try {
    const query = checkedQuery(endpoint, request.search);
    const body = checkedBody(endpoint, request.node, bytes);
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

/** Endpoints behind a session are admitted with a ConsoleCaller; the others take a Caller. */
const asDeclared = (caller: Caller) => caller as ConsoleCaller;

const readJson = async (endpoint: AdmittingEndpoint, request: AdmittedRequest) =>
  parseJson(
    await readWhole(endpoint, request, BODY_LIMIT_BYTES),
    request.node.headers['content-type'],
  );

/**
 * Reads the body. If it is refused, a malformed query is reported instead (contract 4). If it ends
 * after the call was admitted, the caller is checked again.
 */
async function readWhole(
  endpoint: AdmittingEndpoint,
  { node, search, caller, admitAgain }: AdmittedRequest,
  limitBytes: number,
): Promise<Buffer> {
  const isLate = !node.complete;
  const bytes = await readVerified(node, limitBytes, caller.subAccountId).catch(
    (refusal: unknown) => {
      checkedQuery(endpoint, search);
      throw refusal;
    },
  );
  await (isLate ? admitAgain?.() : undefined);
  return bytes;
}

/** Runs the checks of a call. If they fail, an unknown id in the path is reported instead (contract 4). */
async function reportUnknownFirst<T>(
  { assertExists }: AdmittingEndpoint,
  { params }: AdmittedRequest,
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

interface PageRequest {
  readonly cursor: string | undefined;
  readonly filters: object;
}

/** Opens the cursor of a request and seals the cursor of its response. Throws VALIDATION_ERROR. */
export function openPage(
  secret: KeyObject,
  { id, paged }: Pick<AdmittingEndpoint, 'id' | 'paged'>,
  { subAccountId, now }: View,
  { params, query }: { readonly params: Readonly<Record<string, string>>; readonly query: object },
) {
  const isFeed = paged === 'feed';
  const { cursor, filters } = isFeed ? feedRequest(query) : listRequest(query);
  const endpoint = [id, ...Object.values(params)].join('/');
  const list = { endpoint, subAccountId, filters, isFeed };
  return {
    after: cursor === undefined ? undefined : openCursor(secret, list, cursor, now),
    sealed(reply: Reply): Reply {
      const { next = null, more: hasMore = next !== null } = reply;
      const sealed = next === null ? null : sealCursor(secret, list, next, now);
      return { ...reply, meta: { ...reply.meta, hasMore, cursor: sealed } };
    },
  };
}

function listRequest(query: { readonly cursor?: string }): PageRequest {
  const { cursor, ...filters } = { ...query, limit: undefined };
  return { cursor, filters };
}

/** `start` applies to the first page only; it is not one of the filters that a cursor is bound to. */
function feedRequest(query: { readonly after?: string; readonly start?: string }): PageRequest {
  const { after: cursor, start, ...filters } = { ...query, limit: undefined };
  if (cursor !== undefined && start !== undefined) {
    throw invalid([{ in: 'query', path: '/start', message: 'cannot be combined with after' }]);
  }
  return { cursor, filters };
}
