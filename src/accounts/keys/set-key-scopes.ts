import { invalid } from '#core/fault.ts';
import type { Scope } from '#core/scope.ts';
import type { Work } from '#core/work.ts';
import { scopeIssues } from './create-key.ts';
import { loadActiveKey } from './api-key.store.ts';
import { keyNarrowed } from './key.events.ts';

interface KeyScopes {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/**
 * Replaces the scopes of a key; its value stays (spec "API keys"). Returns whether it has a scope now
 * that it had not before.
 */
export async function setKeyScopes(work: Work, { keyId, scopes }: KeyScopes): Promise<boolean> {
  const issues = scopeIssues(scopes);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const key = await loadActiveKey(work, keyId);
  const given = new Set(scopes);
  const before = new Set(key.scopes);
  const isWidened = !given.isSubsetOf(before);
  const isNarrowed = !before.isSubsetOf(given);
  if (isWidened || isNarrowed) {
    key.scopes = [...given];
    work.audit(key.id);
  }
  if (isNarrowed) {
    await work.emit(keyNarrowed, { contactId: null, data: { keyId } });
  }
  return isWidened;
}
