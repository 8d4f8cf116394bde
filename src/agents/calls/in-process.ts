import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { AdmissionDeps } from '#platform/http/admission.ts';
import { admit } from '#platform/http/admission.ts';
import { costOf, type CallDeps } from '#platform/http/call/checks.ts';
import { callKeyed, type AdmittedRequest } from '#platform/http/call/keyed.ts';
import type { CallResponse } from '#platform/http/response.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { partsOf, pathOf, searchOf, type Arguments } from '../tools/action.ts';

export interface AgentDeps extends AdmissionDeps, CallDeps {}

/** The agent behind a call. */
export interface AgentSession {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  readonly subAccountHeader: string | undefined;
  /** The program, as it names itself. */
  readonly client: string;
  readonly requestId: string;
}

/** An admitted call of an endpoint, before it runs. */
export interface PreparedCall {
  readonly endpoint: KeyedEndpoint;
  readonly given: Arguments;
  readonly request: AdmittedRequest;
}

/**
 * Admits a call like a request over HTTP: key, scope, rate and sub-account. Throws the same refusals,
 * and counts the same cost.
 */
export async function prepareCall(
  deps: AgentDeps,
  session: AgentSession,
  endpoint: KeyedEndpoint,
  given: Arguments,
): Promise<PreparedCall> {
  const { params, query } = partsOf(endpoint, given);
  const search = searchOf(query);
  const { access, rate } = endpoint;
  const cost = costOf(endpoint, { params, search, now: deps.clock() });
  const admission = await admit(deps, { access, rate, cost }, session, {});
  return { endpoint, given, request: requestOf(endpoint, given, session, admission) };
}

/**
 * Counts a call that no endpoint serves as one read. Throws the refusals of a request that needs no scope.
 */
export async function chargeRead(deps: AgentDeps, session: AgentSession): Promise<void> {
  await admit(deps, { access: { kind: 'any' }, rate: 'read', cost: 1 }, session, {});
}

type Admission = Awaited<ReturnType<typeof admit>>;

/** Returns the request of an admitted call. */
export function requestOf(
  endpoint: KeyedEndpoint,
  given: Arguments,
  { client, requestId }: Pick<AgentSession, 'client' | 'requestId'>,
  { caller, granted }: Admission,
): AdmittedRequest {
  const { params, query, body } = partsOf(endpoint, given);
  const { keyId: name, keyPrefix } = caller;
  return {
    actor: { kind: 'agent', name, keyPrefix, client, requestId, operation: endpoint.id },
    caller,
    granted,
    path: pathOf(endpoint, params),
    params,
    search: searchOf(query),
    node: bodyOf(body),
  };
}

/** Runs a call through the same code as a request over HTTP, without the network. */
export async function runCall(
  deps: CallDeps,
  { endpoint, request }: PreparedCall,
): Promise<CallResponse> {
  return callKeyed(deps, endpoint, request);
}

/** Returns the body of a call as a request carries it. */
function bodyOf(body: Arguments | undefined): IncomingMessage {
  const bytes = body === undefined ? [] : [Buffer.from(JSON.stringify(body))];
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return Object.assign(Readable.from(bytes), { headers, complete: true }) as never;
}
