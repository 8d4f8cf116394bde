import { randomUUID } from 'node:crypto';
import { defineCommand, type Outcome } from '#core/command.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { baseUrlOf, type Environment } from '#platform/config/environment.ts';
import { errorText } from '#platform/http/response.ts';
import { answerMcp, openSession, type McpResponse } from '../agents/mcp/mcp-endpoint.ts';
import { bridgeStdio, type SendMessage } from '../agents/mcp/stdio-bridge.ts';
import { openAgents } from './server/mcp-route.ts';
import { flushed } from './server/open-log.ts';
import { openCommandService, type Service } from './server/open-service.ts';
import { version } from '#platform/process/version.ts';
import { openKeyUse, identifyKeys } from '../accounts/keys/identify-key.ts';
import type { AgentDeps } from '../agents/calls/in-process.ts';
import { openRateLimiter } from '#platform/rate-limit/limiter.ts';

export const mcp = defineCommand()({
  path: 'mcp',
  summary: 'Serve the tools of agents over standard input and output (MCP)',
  options: {
    url: {
      flag: '--url <base>',
      help: 'address of a running Frontdesk (default: use the database directly)',
      parse: readUrl,
    },
    subAccount: { flag: '--sub-account <sub>', help: 'with an agency key: the sub-account' },
  },
  examples: [
    'FRONTDESK_API_KEY=sk_live_… frontdesk mcp --url https://crm.example.com',
    'frontdesk mcp --sub-account 0198c0de-…',
  ],
  context: 'none',
  async run(_, { url, subAccount }) {
    const { apiKey } = processEnvironment();
    if (apiKey === undefined) {
      throw new UsageFault('mcp needs an API key: set FRONTDESK_API_KEY');
    }
    const access = { authorization: `Bearer ${apiKey}`, subAccountHeader: subAccount };
    return url === undefined ? serveDirectly(access) : serveRemotely(access, url);
  },
});

function readUrl(given: string): URL {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageFault(`${given || 'nothing'} was given; it must be a URL, http:// or https://`);
  }
  return url;
}

interface Access {
  readonly authorization: string;
  readonly subAccountHeader: string | undefined;
}

const DONE: Outcome = { json: null, isWritten: true };
const USER_AGENT = 'frontdesk-mcp';

/** Passes messages on to a running server. */
async function serveRemotely(access: Access, base: URL): Promise<Outcome> {
  const path = base.pathname.replace(/\/$/, '');
  const url = new URL(path.endsWith('/mcp') ? path : `${path}/mcp`, base);
  await bridgeStdio(process.stdin, process.stdout, async (text, headers) => {
    const response = await fetch(url, {
      method: 'POST',
      body: text,
      headers: {
        'user-agent': USER_AGENT,
        ...headers,
        authorization: access.authorization,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(access.subAccountHeader !== undefined && {
          'x-sub-account-id': access.subAccountHeader,
        }),
      },
    });
    return { status: response.status, text: await response.text() };
  });
  return DONE;
}

const CONNECTIONS = 4;

/** Answers messages in this process, with the database of the environment. */
async function serveDirectly(access: Access): Promise<Outcome> {
  const { environment, log, service } = await openCommandService({
    name: 'frontdesk mcp',
    connections: CONNECTIONS,
    stays: true,
  });
  const { deps, close } = openAgentDeps(service, environment);
  const agents = openAgents(deps, log);
  const send: SendMessage = async (text, protocolHeaders): Promise<McpResponse> => {
    const requestId = randomUUID();
    const request = {
      ...access,
      origin: undefined,
      resourceMetadata: undefined,
      userAgent: protocolHeaders['user-agent'] ?? USER_AGENT,
      contentType: 'application/json',
      protocolHeaders,
      requestId,
    };
    try {
      const session = await openSession(agents, request, () => undefined);
      return await answerMcp(agents, session, request, Buffer.from(text), version());
    } catch (error) {
      const fault = error instanceof Fault ? error : agents.faultOf(error, requestId);
      return { status: fault.status, text: errorText(fault) };
    }
  };
  await bridgeStdio(process.stdin, process.stdout, send);
  await close();
  await service.close();
  await flushed(log);
  return DONE;
}

interface OpenAgentDeps {
  readonly deps: AgentDeps;
  close(): Promise<void>;
}

/** Opens what calls of agents need in a process that does not serve HTTP. */
function openAgentDeps(service: Service, environment: Environment): OpenAgentDeps {
  const { database, changes, log, clock, secrets } = service;
  const { rateRead: read, rateWrite: write, rateStore: store } = environment;
  const keyUse = openKeyUse(database, log);
  const limiter = openRateLimiter({
    store,
    query: async (text, values) => ({ rows: await database.rows(text, values) }),
    log,
  });
  return {
    deps: {
      ...service,
      identify: identifyKeys({ database, changes, clock, keyUse }),
      limiter,
      rates: { read, write },
      baseUrl: () => baseUrlOf(environment),
      cursorSecret: secrets.derive('cursors'),
    },
    async close() {
      await keyUse.close();
      await limiter.close();
    },
  };
}
