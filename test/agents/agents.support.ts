import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { AgentPolicy } from '../../src/core/agent.ts';
import type { Scope } from '#core/scope.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import type { TestService } from '../support/service.ts';

/** The result of a tool. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly content: any;
}

interface ConnectOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly era?: '2026-07-28' | '2025';
}

/** Connects the official client; the test closes it. */
export async function connectAgent(
  url: string,
  key: string,
  { headers = {}, era = '2026-07-28' }: ConnectOptions = {},
) {
  const client = new Client(
    { name: 'scripted agent', version: '1.2' },
    { versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: era } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
  });
  await client.connect(transport);
  await client.listTools();
  onTestFinished(() => client.close());
  return {
    client,
    async call(name: string, given: Record<string, unknown> = {}): Promise<Called> {
      const result: any = await client.callTool({ name, arguments: given });
      return {
        isError: result.isError === true,
        text: result.content[0].text,
        content: result.structuredContent,
      };
    },
  };
}

interface KeyInput {
  readonly scopes: readonly Scope[];
  readonly agentPolicy?: Partial<AgentPolicy>;
  readonly rateRead?: string;
  readonly rateWrite?: string;
}

/** Issues a key of the test's sub-account. */
export async function issueKey(
  { transact, subAccountId, actor }: TestService,
  input: KeyInput,
): Promise<{ readonly key: string; readonly keyId: string }> {
  return transact(subAccountId, actor, async (work) => {
    const { key, apiKey } = await createKey(work, { name: 'agent', ...input });
    return { key, keyId: apiKey.id };
  });
}
