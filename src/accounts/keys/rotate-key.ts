import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { IssuedKey } from './create-key.ts';
import { isGrantKind, newKeyValue } from './key-value.ts';
import type { ApiKey } from './api-key.entity.ts';
import { loadActiveKey } from './api-key.store.ts';

interface Rotation {
  readonly keyId: string;
  /** How long the old value keeps working; by default not at all. */
  readonly graceMs?: number | undefined;
}

/** Far in the past: a server whose clock is slow must end the old value at once, too. */
const LONG_PAST = new Date(0);

/**
 * Ends the value with this prefix, used before the last rotation, at once; the new value keeps
 * working. Throws a Fault if it has ended, also by another rotation in the meantime.
 */
export async function endOldValue(
  work: Work,
  { keyId, prefix }: { readonly keyId: string; readonly prefix: string },
): Promise<void> {
  const key = await loadActiveKey(work, keyId);
  const endsAt = key.previousPrefix === prefix ? key.previousExpiresAt : undefined;
  if (!endsAt || endsAt <= work.now) {
    throw new Fault('VALIDATION_ERROR', 'this old value of the API key has already ended');
  }
  key.previousExpiresAt = LONG_PAST;
  work.audit(key.id);
}

/**
 * Replaces the value of a key. Its id, scopes and expiry stay. Only one old value is kept: a second
 * rotation within the grace time ends the oldest.
 */
export async function rotateKey(work: Work, { keyId, graceMs }: Rotation): Promise<IssuedKey> {
  const apiKey = await loadActiveKey(work, keyId);
  if (isGrantKind(apiKey.kind)) {
    const message = 'a program got this key with OAuth and renews it itself; revoke it instead';
    throw new Fault('VALIDATION_ERROR', message);
  }
  const { key, prefix, hash } = newKeyValue(apiKey.kind);
  apiKey.previousHash = apiKey.hash;
  apiKey.previousPrefix = apiKey.prefix;
  apiKey.previousUsedAt = lastUseOfValue(apiKey);
  apiKey.previousExpiresAt = graceMs ? new Date(work.now.getTime() + graceMs) : LONG_PAST;
  apiKey.hash = hash;
  apiKey.prefix = prefix;
  work.audit(apiKey.id);
  return { apiKey, key };
}

/** A last use that was of the value before leaves that of the current value unknown. */
const lastUseOfValue = ({ lastUsedAt, previousUsedAt }: ApiKey): Date | null =>
  !lastUsedAt || (previousUsedAt && previousUsedAt >= lastUsedAt) ? null : lastUsedAt;
