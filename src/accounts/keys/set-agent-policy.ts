import { isNarrower, policyOf, type AgentPolicy } from '#core/agent.ts';
import type { Work } from '#core/work.ts';
import { loadActiveKey } from './api-key.store.ts';
import { keyNarrowed } from './key.events.ts';

interface KeyPolicy {
  readonly keyId: string;
  /** The decisions that change; the others stay. */
  readonly agentPolicy: Partial<AgentPolicy>;
}

/**
 * Changes which calls of agents a key allows, asks a person about, or denies. Returns whether it permits
 * more than before.
 */
export async function setAgentPolicy(
  work: Work,
  { keyId, agentPolicy }: KeyPolicy,
): Promise<boolean> {
  const key = await loadActiveKey(work, keyId);
  const before = policyOf(key.agentPolicy ?? null);
  const after = { ...before, ...agentPolicy };
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return false;
  }
  key.agentPolicy = { ...key.agentPolicy, ...agentPolicy };
  work.audit(key.id);
  if (isNarrower(before, after)) {
    await work.emit(keyNarrowed, { contactId: null, data: { keyId } });
  }
  return isNarrower(after, before);
}
