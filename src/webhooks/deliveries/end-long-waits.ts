import { handle } from '#core/job.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { AGENCY } from '#lib/id.ts';
import { PAUSE_MAX_MS } from '../subscriptions/health.ts';
import { endLongWaits, queueDelivery } from './webhooks.jobs.ts';

/** Longer than the step that `Retry-After` doubles, with its jitter. */
const STEPS = 3;

interface WaitingSubscription {
  readonly subAccountId: string;
  readonly subscriptionId: string;
}

/**
 * Ends the waits of subscriptions and attempts that are longer than any wait is: they began while the
 * clock of the database was ahead, and would last for as long as it was.
 */
export const handleEndLongWaits = handle(endLongWaits, async (_, context) => {
  const { openView, clock, transact, actor, settings } = context;
  const pauseMs = PAUSE_MAX_MS + MINUTE_MS;
  const stepMs = STEPS * Math.max(MINUTE_MS, ...settings.webhookRetries);
  const { rows } = openView(AGENCY, clock());
  const waiting = await rows<WaitingSubscription>(WAITING_LONG, [pauseMs, stepMs]);
  for (const { subAccountId, subscriptionId } of waiting) {
    await transact(subAccountId, actor, async (work) => {
      const values = [subAccountId, subscriptionId];
      work.write(END_PAUSE, values);
      work.write(END_WAITS, [...values, stepMs]);
      queueDelivery(work, subscriptionId);
    });
  }
});

/** Subscriptions per run of the job. */
const LIMIT = 1_000;

const later = (parameter: string): string => `now() + ${parameter}::float8 * interval '1 ms'`;

const WAITING_LONG = `
  select s.sub_account_id as "subAccountId", s.id as "subscriptionId"
  from webhook_subscriptions s
  where s.status = 'active' and s.deleted_at is null and s.paused_until > ${later('$1')}
  union
  select d.sub_account_id, d.subscription_id from webhook_deliveries d
  where d.status = 'pending' and d.next_attempt_at > ${later('$2')}
  limit ${LIMIT}`;

const END_PAUSE = `update webhook_subscriptions set paused_until = null
  where sub_account_id = $1 and id = $2 and paused_until > now()`;

const END_WAITS = `update webhook_deliveries set next_attempt_at = now()
  where sub_account_id = $1 and subscription_id = $2 and status = 'pending'
    and next_attempt_at > ${later('$3')}`;
