import type { Work } from '#core/work.ts';
import type { IssuedKey } from './create-key.ts';
import { newKeyValue } from './key-value.ts';
import { loadActiveKey } from './api-key.store.ts';

interface Rotation {
  readonly keyId: string;
  /** How long the value before goes on working; not at all where left out. */
  readonly graceMs?: number | undefined;
}

/** Long past, so that a server whose clock is behind ends the value before at once too. */
const AT_ONCE = new Date(0);

/**
 * Gives a key another value. Its id, scopes and expiry stay. One value before is remembered: a
 * second rotation within the grace time ends the oldest.
 */
export async function rotateKey(work: Work, { keyId, graceMs }: Rotation): Promise<IssuedKey> {
  const apiKey = await loadActiveKey(work, keyId);
  const { key, prefix, hash } = newKeyValue(apiKey.kind);
  apiKey.previousHash = apiKey.hash;
  apiKey.previousExpiresAt = graceMs ? new Date(work.now.getTime() + graceMs) : AT_ONCE;
  apiKey.hash = hash;
  apiKey.prefix = prefix;
  work.audit(apiKey.id);
  return { apiKey, key };
}
