import type { IncomingMessage } from 'node:http';
import { agentCatalogue } from '#registry/agents.ts';
import { events } from '#registry/events.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { PlainRoute } from '#platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '#platform/http/body/read.ts';
import { readVerified } from '#platform/http/body/read-verified.ts';
import { header } from '#platform/http/call/checks.ts';
import { faultOf } from '#platform/http/errors.ts';
import type { Agents } from '../../agents/calls/call-tool.ts';
import type { AgentDeps } from '../../agents/calls/in-process.ts';
import { openRunOnce } from '../../agents/calls/run-once.ts';
import { resourceMetadataUrl } from '../../agents/oauth/metadata.ts';
import { answerMcp, openSession, requireJson } from '../../agents/mcp/mcp-endpoint.ts';
import { version } from '#platform/process/version.ts';

/** Returns what agents call with, in the server and over stdio. */
export const openAgents = (deps: AgentDeps, log: Logger): Agents => ({
  deps,
  get catalogue() {
    return agentCatalogue();
  },
  events,
  runOnce: openRunOnce(deps),
  faultOf: (error, requestId) => faultOf(error, log, requestId),
});

interface McpOptions {
  /** Programs may also connect with OAuth; its consent page is part of the console. */
  readonly hasOAuth: boolean;
}

/** `POST /mcp`: the tools of agents (contract 12). */
export function mcpRoute(agents: Agents, { hasOAuth }: McpOptions): PlainRoute {
  const product = version();
  return {
    path: '/mcp',
    method: 'POST',
    async answer(node, context) {
      const resourceMetadata = hasOAuth ? resourceMetadataUrl(agents.deps.baseUrl()) : undefined;
      const request = { ...mcpRequestOf(node, context.requestId), resourceMetadata };
      const open = () =>
        openSession(agents, request, (keyId) => {
          context.keyId = keyId;
        });
      const session = await open();
      requireJson(request);
      const isLate = !node.complete;
      const bytes = await readVerified(node, BODY_LIMIT_BYTES, context.keyId ?? '');
      // A sender can delay the end of a body by a minute: the policy of the key may be another one now.
      const current = isLate ? await open() : session;
      return answerMcp(agents, current, request, bytes, product);
    },
  };
}

const mcpRequestOf = (node: IncomingMessage, requestId: string) => ({
  authorization: header(node, 'authorization'),
  subAccountHeader: header(node, 'x-sub-account-id'),
  origin: header(node, 'origin'),
  userAgent: header(node, 'user-agent'),
  contentType: header(node, 'content-type'),
  protocolHeaders: Object.fromEntries(
    Object.entries(node.headers).flatMap(([name, value]) =>
      name.startsWith('mcp-') && typeof value === 'string' ? [[name, value]] : [],
    ),
  ),
  requestId,
});
