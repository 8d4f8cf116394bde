import { AGENCY } from '#lib/id.ts';
import { keyOf } from '#core/job.ts';
import type { View, Work } from '#core/work.ts';
import type { Occurrence } from '#core/event.ts';
import { findKey } from '../../accounts/keys/api-key.store.ts';
import { deliverWebhooks } from '../deliveries/webhooks.jobs.ts';
import { scopeOfEvent } from '../feed/event-scopes.ts';

/** Returns why a key may no longer receive these events; undefined if it may. */
export async function accessIssue(
  view: View,
  keyId: string,
  events: readonly string[],
): Promise<string | undefined> {
  const key = await findKey(view, keyId);
  if (key?.state !== 'active') {
    return key?.state === 'expired' ? 'the API key has expired' : 'the API key was revoked';
  }
  if (key.agentPolicy.read !== 'allow') {
    return 'agents with the API key may not read on their own any more';
  }
  const missing = events.map(scopeOfEvent).find((scope) => !key.scopes.includes(scope));
  return missing && `the API key has lost the scope ${missing}`;
}

/** Queues the subscriptions of a key that was narrowed: those without access end. */
export async function recheckSubscriptions(
  work: Work,
  { data: { keyId } }: Occurrence<{ readonly keyId: string }>,
): Promise<void> {
  const found = await work.rows<{ subAccountId: string; subscriptionId: string }>(
    ...ofKey(work.subAccountId, keyId),
  );
  for (const payload of found) {
    // Deliveries that are under way notice the new time.
    work.write(TOUCH, [payload.subAccountId, payload.subscriptionId, work.now]);
    work.enqueue(deliverWebhooks, payload, { key: keyOf(deliverWebhooks, payload) });
  }
}

/** An agency key reaches every sub-account. Ordered, for the locks of the updates. */
const ofKey = (subAccountId: string, keyId: string): [text: string, values: string[]] =>
  subAccountId === AGENCY
    ? [`${OF_KEY} ${IN_ORDER}`, [keyId]]
    : [`${OF_KEY} and sub_account_id = $2 ${IN_ORDER}`, [keyId, subAccountId]];

const OF_KEY = `select sub_account_id as "subAccountId", id as "subscriptionId"
  from webhook_subscriptions where key_id = $1 and deleted_at is null`;

const IN_ORDER = 'order by sub_account_id, id';

const TOUCH = `update webhook_subscriptions set updated_at = $3
  where sub_account_id = $1 and id = $2`;
