import type { AgentPolicy } from '#core/agent.ts';
import type { AgentSession } from '../calls/in-process.ts';

/** A key that was identified for this request. */
export interface McpSession extends AgentSession {
  readonly sandbox: boolean;
  readonly scopes: ReadonlySet<string>;
  readonly policy: AgentPolicy;
}
