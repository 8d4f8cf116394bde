import type { Server } from '@modelcontextprotocol/server';
import type { Agents } from '../calls/call-tool.ts';
import { listResources, listTemplates, readResource } from '../resources/resources.ts';
import type { Library } from './library.ts';
import type { McpSession } from './mcp-session.ts';
import { withProtocolErrors } from './protocol-errors.ts';

/** Serves the long content that results link to. */
export function serveResources(
  server: Server,
  library: Library,
  agents: Agents,
  session: McpSession,
): void {
  server.setRequestHandler('resources/list', () => ({ resources: listResources(agents) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: listTemplates(session),
  }));
  server.setRequestHandler('resources/read', async ({ params }) =>
    withProtocolErrors(
      library,
      { agents, requestId: session.requestId, kind: 'resource' },
      async () => ({
        contents: [await readResource(agents, session, params.uri)],
      }),
    ),
  );
}
