import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { cursorAt } from '../feed/feed-cursor.ts';

/**
 * Returns the cursor up to which every event was accepted by the receiver, or given up: a reader
 * that continues from it misses none.
 */
export async function safeCursor(
  view: View,
  secrets: Secrets,
  subscriptionId: string,
): Promise<string> {
  const [row] = await view.rows<{ position: number }>(SAFE, [view.subAccountId, subscriptionId]);
  return cursorAt(secrets.derive('cursors'), view, row?.position ?? 0);
}

const SAFE = `select least(s.position, (
      select min(e.position) - 1 from webhook_deliveries d
      join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id
      where d.sub_account_id = $1 and d.subscription_id = $2 and d.status = 'pending'
        and d.trigger = 'scheduled'
    ))::int8 as position
  from webhook_subscriptions s where s.sub_account_id = $1 and s.id = $2`;
