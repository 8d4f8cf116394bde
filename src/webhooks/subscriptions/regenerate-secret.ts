import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { lockSubscription, newSecret, secretPlace } from './subscription.store.ts';

interface Regeneration {
  readonly id: string;
  /** For so long deliveries are signed with the secret before, too; not at all by default. */
  readonly gracePeriodSeconds?: number | undefined;
}

/** Gives a subscription another secret and answers it. One secret before is kept, never two. */
export async function regenerateSecret(
  work: Work,
  secrets: Secrets,
  { id, gracePeriodSeconds = 0 }: Regeneration,
): Promise<string> {
  const subscription = await lockSubscription(work, id);
  const secret = newSecret();
  const isKept = gracePeriodSeconds > 0;
  subscription.previousSecret = isKept ? subscription.secret : null;
  subscription.previousUntil = isKept
    ? new Date(work.now.getTime() + gracePeriodSeconds * 1_000)
    : null;
  subscription.secret = secrets.seal(secret, secretPlace(id));
  subscription.updatedAt = work.now;
  work.audit(id);
  return secret;
}
