import { notFound } from '#core/fault.ts';
import { siteFile } from '../../docs/site-files.ts';
import type { Agents } from '../calls/call-tool.ts';
import { chargeRead } from '../calls/in-process.ts';
import type { McpSession } from '../mcp/mcp-session.ts';
import {
  CONVERSATION_TEMPLATE,
  conversationOf,
  readTranscript,
  requireReading,
} from './transcript.ts';
import type { Server } from '@modelcontextprotocol/server';
import type { Library } from '../mcp/library.ts';
import { serveList } from '../mcp/serve-list.ts';
import { withProtocolErrors } from '../mcp/protocol-errors.ts';

/** Serves the long content that results link to. */
export function serveResources(
  server: Server,
  library: Library,
  agents: Agents,
  session: McpSession,
): void {
  serveList(server, library, 'resources/list', () => ({ resources: listResources(agents) }));
  serveList(server, library, 'resources/templates/list', () => ({
    resourceTemplates: listTemplates(session),
  }));
  server.setRequestHandler('resources/read', { params: library.readParams }, async ({ uri }) =>
    withProtocolErrors(
      library,
      { agents, requestId: session.requestId, kind: 'resource' },
      async () => ({
        contents: [await readResource(agents, session, uri)],
      }),
    ),
  );
}

/** Pages of the documentation that help an agent, by their files. */
const PAGES = [
  { file: 'agents.md', title: 'What agents can do' },
  { file: 'book-from-a-bot.md', title: 'Book appointments from a bot' },
  { file: 'webhook-events.md', title: 'Events and their data' },
  { file: 'errors.md', title: 'Error codes and reasons' },
] as const;

const MARKDOWN = 'text/markdown';

const pageUri = (baseUrl: string, file: string): string => `${baseUrl}/docs/${file}`;

/** Returns the resources that every key can read: pages of the documentation. */
const listResources = ({ deps }: Agents) =>
  PAGES.map(({ file, title }) => ({
    uri: pageUri(deps.baseUrl(), file),
    name: file,
    title,
    mimeType: MARKDOWN,
  }));

/** Returns the templates of the resources that a key can read. */
const listTemplates = ({ scopes, policy }: McpSession) =>
  scopes.has('conversations:read') && policy.read === 'allow'
    ? [
        {
          uriTemplate: CONVERSATION_TEMPLATE,
          name: 'conversation',
          title: 'A conversation as text',
          description: 'The newest 1,000 messages with their full texts, oldest first',
          mimeType: 'text/plain',
        },
      ]
    : [];

/** Returns the content of a resource. Throws NOT_FOUND, and the refusals of the endpoint it reads. */
async function readResource(agents: Agents, session: McpSession, uri: string) {
  const conversationId = conversationOf(uri);
  if (conversationId !== undefined) {
    requireReading(session.policy);
    const text = await readTranscript(agents, session, conversationId);
    return { uri, mimeType: 'text/plain', text };
  }
  const page = PAGES.find(({ file }) => pageUri(agents.deps.baseUrl(), file) === uri);
  if (page) {
    await chargeRead(agents.deps, session);
  }
  const content = page && (await siteFile(page.file));
  if (!content) {
    throw notFound('resource');
  }
  return { uri, mimeType: MARKDOWN, text: content.bytes.toString('utf8') };
}
