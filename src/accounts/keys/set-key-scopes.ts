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

/** Replaces the scopes of a key; its value stays (spec "API keys"). */
export async function setKeyScopes(work: Work, { keyId, scopes }: KeyScopes): Promise<void> {
  const issues = scopeIssues(scopes);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const key = await loadActiveKey(work, keyId);
  const wanted = new Set(scopes);
  if (wanted.symmetricDifference(new Set(key.scopes)).size > 0) {
    const isNarrowed = key.scopes.some((name) => !wanted.has(name));
    key.scopes = [...wanted];
    work.audit(key.id);
    if (isNarrowed) {
      await work.emit(keyNarrowed, { contactId: null, data: { keyId } });
    }
  }
}
