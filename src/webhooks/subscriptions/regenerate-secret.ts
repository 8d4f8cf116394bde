import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { lockSubscription, newSecret, secretPlace } from './subscription.store.ts';
import { refuseOfAgent } from './update-subscription.ts';

interface Regeneration {
  readonly id: string;
  /** How long deliveries are also signed with the previous secret; 0 by default. */
  readonly gracePeriodSeconds?: number | undefined;
}

/** Replaces the secret of a subscription and returns it. At most one previous secret stays valid. */
export async function regenerateSecret(
  work: Work,
  secrets: Secrets,
  { id, gracePeriodSeconds = 0 }: Regeneration,
): Promise<string> {
  const subscription = await lockSubscription(work, id);
  refuseOfAgent(subscription);
  const secret = newSecret();
  const hasGrace = gracePeriodSeconds > 0;
  subscription.previousSecret = hasGrace ? subscription.secret : null;
  subscription.previousUntil = hasGrace
    ? new Date(work.now.getTime() + gracePeriodSeconds * 1_000)
    : null;
  subscription.secret = secrets.seal(secret, secretPlace(id));
  subscription.updatedAt = work.now;
  work.audit(id);
  return secret;
}
