import { firstIdAt } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { readPause } from '#platform/queue/pause.ts';
import { gauge, type Metric } from '#platform/metrics/exposition.ts';
import { backlogMetrics } from './backlog-metrics.ts';
import { databaseMetrics } from './database-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { queueStatus } from './queue-status.ts';

/** What "recent" says: long enough to see a trend at any usual scrape, short enough to count. */
const RECENT_MS = 5 * MINUTE_MS;

type Rows = Pick<View, 'rows'>;

/** How the whole installation stands, the same from each of its servers. */
export async function installationMetrics(view: Rows, now: Date): Promise<readonly Metric[]> {
  const since = firstIdAt(new Date(now.getTime() - RECENT_MS));
  const [queue, holding, attempts, messages, ...others] = await Promise.all([
    queueStatus(view),
    readPause({ rows: (text, values = []) => view.rows(text, values) }),
    view.rows<Attempts>(ATTEMPTS, [since]),
    view.rows<Messages>(MESSAGES, [since]),
    processMetrics(view),
    backlogMetrics(view),
    databaseMetrics(view),
  ]);
  const age = queue.oldest === null ? 0 : (now.getTime() - Date.parse(queue.oldest)) / 1_000;
  return [
    gauge(
      'frontdesk_queue_depth',
      'Jobs that run or could run now.',
      queue.depth - queue.unpublished,
    ),
    gauge('frontdesk_queue_oldest_seconds', 'How long the oldest has been due.', Math.max(0, age)),
    gauge('frontdesk_queue_failing', 'Jobs whose last attempt failed.', queue.failing),
    gauge('frontdesk_outbox_events', 'Events that are not published yet.', queue.unpublished),
    gauge(
      'frontdesk_workers_held',
      '1 while workers wait for frontdesk admin release.',
      holding.heldSince ? 1 : 0,
    ),
    {
      name: 'frontdesk_webhook_attempts_recent',
      type: 'gauge',
      help: 'Webhook deliveries of the last 5 minutes, by how they stand.',
      samples: attempts.map(({ status, times }) => ({ labels: { status }, value: times })),
    },
    {
      name: 'frontdesk_messages_recent',
      type: 'gauge',
      help: 'Outbound messages of the last 5 minutes, by channel and how they stand.',
      samples: messages.map(({ channel, status, times }) => ({
        labels: { channel, status },
        value: times,
      })),
    },
    ...others.flat(),
  ];
}

interface Attempts {
  readonly status: string;
  readonly times: number;
}

interface Messages extends Attempts {
  readonly channel: string;
}

/** Ids tell the time, so that the primary key finds what is recent without another index. */
const ATTEMPTS = `
  select recent.status, count(*)::int as times
  from sub_accounts s cross join lateral (
    select status from webhook_deliveries where sub_account_id = s.id and id >= $1
  ) as recent
  group by 1 order by 1`;

const MESSAGES = `
  select recent.channel, recent.status, count(*)::int as times
  from sub_accounts s cross join lateral (
    select channel, status from messages
    where sub_account_id = s.id and id >= $1 and direction = 'outbound' and not is_internal
  ) as recent
  group by 1, 2 order by 1, 2`;
