import { policyOf } from '#core/agent.ts';
import { Fault } from '#core/fault.ts';
import { parseJson } from '#platform/http/body/read.ts';
import { bearerKey } from '#platform/http/admission.ts';
import type { Agents } from '../calls/call-tool.ts';
import { loadLibrary, type Library } from './library.ts';
import { answerListOnce } from './list-cache.ts';
import { mcpServerOf, plainText } from './mcp-server.ts';
import type { McpSession } from './mcp-session.ts';

/** A request for `/mcp`, whose body is read. */
export interface McpRequest {
  readonly authorization: string | undefined;
  readonly subAccountHeader: string | undefined;
  readonly origin: string | undefined;
  readonly userAgent: string | undefined;
  readonly contentType: string | undefined;
  /** `mcp-…` headers. */
  readonly protocolHeaders: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Where programs without a key learn how to get one with OAuth (RFC 9728). */
  readonly resourceMetadata: string | undefined;
}

export interface McpResponse {
  readonly status: number;
  readonly text: string;
}

/** Returns the challenge of a 401 (RFC 6750); `error` is about a key that was sent. */
function challenge(metadata: string | undefined, error?: 'invalid_token') {
  const parameters = [
    ...(error ? [`error="${error}"`] : []),
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
  ];
  return { 'www-authenticate': ['Bearer', parameters.join(', ')].filter(Boolean).join(' ') };
}

/** Refuses scripts of other websites, then calls without a working key. Returns the session. */
export async function openSession(
  { deps }: Agents,
  request: McpRequest,
  note: (keyId: string) => void,
): Promise<McpSession> {
  const { authorization, subAccountHeader, origin, userAgent, requestId } = request;
  const { resourceMetadata } = request;
  if (origin !== undefined && origin !== originOf(deps.baseUrl())) {
    const message = `pages of ${plainText(origin)} may not call this server; call it without a browser`;
    throw new Fault('FORBIDDEN', message, { reason: 'foreign_origin' });
  }
  const key = bearerKey(authorization, challenge(resourceMetadata));
  const { scopes, sandbox, agentPolicy, keyId } = await withChallenge(
    challenge(resourceMetadata, 'invalid_token'),
    async () => deps.identify(key),
  );
  note(keyId);
  const client = plainText(userAgent ?? 'unknown');
  const policy = policyOf(agentPolicy);
  return { authorization, subAccountHeader, client, requestId, scopes, sandbox, policy };
}

async function withChallenge<T>(
  headers: Readonly<Record<string, string>>,
  identify: () => Promise<T>,
): Promise<T> {
  try {
    return await identify();
  } catch (error) {
    throw error instanceof Fault && error.status === 401
      ? new Fault(error.code, error.message, error.details, headers)
      : error;
  }
}

const originOf = (url: string): string => new URL(url).origin;

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body is JSON. */
export function requireJson({ contentType }: Pick<McpRequest, 'contentType'>): void {
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
}

/** Serves one message of the protocol, of either era, without a session. */
export async function answerMcp(
  agents: Agents,
  session: McpSession,
  request: Pick<McpRequest, 'protocolHeaders'>,
  bytes: Buffer,
  version: string,
): Promise<McpResponse> {
  const message = messageOf(bytes);
  if ('error' in message) {
    return message.error;
  }
  const { parsed } = message;
  const { protocolHeaders } = request;
  return answerListOnce(session, { message: parsed, protocolHeaders, version }, async () => {
    const library = await loadLibrary();
    const web = new Request('http://frontdesk.invalid/mcp', {
      method: 'POST',
      headers: { ...protocolHeaders, ...JSON_HEADERS },
      body: new Uint8Array(bytes),
    });
    const response = (await library.isLegacyRequest(web, parsed))
      ? await answerLegacy(library, { agents, session, version }, web, parsed)
      : await answerModern(library, { agents, session, version }, web, parsed);
    return { status: response.status, text: await response.text() };
  });
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

type Message = { readonly parsed: object } | { readonly error: McpResponse };

function messageOf(bytes: Buffer): Message {
  let parsed: unknown;
  try {
    parsed = parseJson(bytes, JSON_HEADERS['content-type']);
  } catch (error) {
    return { error: refusal(-32_700, (error as Fault).message) };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { error: refusal(-32_600, 'send one message per request; batches are not supported') };
  }
  const { method, id } = parsed as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method === 'string' && UNSERVED.has(method)) {
    return { error: refusal(-32_601, `${method} is not supported: there are no streams`, id, 200) };
  }
  return { parsed };
}

/** Would keep a stream open; nothing here changes while a client listens. */
const UNSERVED = new Set(['subscriptions/listen']);

const refusal = (code: number, message: string, id: unknown = null, status = 400): McpResponse => ({
  status,
  text: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
});

interface Served {
  readonly agents: Agents;
  readonly session: McpSession;
  readonly version: string;
}

/** A server and a transport per request: nothing is kept between requests. */
async function answerLegacy(
  library: Library,
  { agents, session, version }: Served,
  request: Request,
  parsedBody: object,
): Promise<Response> {
  const server = mcpServerOf(library, agents, session, version);
  const transport = new library.WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

async function answerModern(
  library: Library,
  { agents, session, version }: Served,
  request: Request,
  parsedBody: object,
): Promise<Response> {
  const handler = library.createMcpHandler(() => mcpServerOf(library, agents, session, version), {
    legacy: 'reject',
  });
  try {
    return await handler.fetch(request, { parsedBody });
  } finally {
    await handler.close();
  }
}
