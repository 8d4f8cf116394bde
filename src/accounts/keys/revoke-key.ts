import type { Work } from '#core/work.ts';
import { loadKey } from './api-key.store.ts';
import { keyNarrowed } from './key.events.ts';

/** Revokes a key for good. A key that is already revoked keeps its time. */
export async function revokeKey(work: Work, { keyId }: { readonly keyId: string }): Promise<void> {
  const key = await loadKey(work, keyId);
  if (!key.revokedAt) {
    key.revokedAt = work.now;
    work.audit(key.id);
    await work.emit(keyNarrowed, { contactId: null, data: { keyId } });
  }
}
