import { firstIdAt } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { readPause } from '#platform/queue/pause.ts';
import { gauge, type Metric } from '#platform/metrics/exposition.ts';
import { processMetrics } from './process-metrics.ts';
import { queueStatus, type QueueStatus } from './queue-status.ts';

/** The period of "recent" figures: longer than usual scrape intervals, short enough to count quickly. */
const RECENT_MS = 5 * MINUTE_MS;

type Rows = Pick<View, 'rows'>;

/** Returns the metrics of the whole installation, the same on each of its servers. */
export async function installationMetrics(view: Rows, now: Date): Promise<readonly Metric[]> {
  const since = firstIdAt(new Date(now.getTime() - RECENT_MS));
  const [queue, pause, attempts, messages, [skipped], [failed], ...others] = await Promise.all([
    queueStatus(view),
    readPause({ rows: (text, values = []) => view.rows(text, values) }),
    view.rows<Attempts>(ATTEMPTS, [since]),
    view.rows<Messages>(MESSAGES, [since]),
    view.rows<{ skipped: number }>(SKIPPED, []),
    view.rows<{ runs: number }>(FAILED_RUNS, [new Date(now.getTime() - RECENT_MS)]),
    processMetrics(view),
    backlogMetrics(view),
    databaseMetrics(view),
  ]);
  return [
    ...queueMetrics(queue, now),
    gauge('frontdesk_outbox_events', 'Events that wait to be published.', queue.unpublished),
    gauge(
      'frontdesk_workers_held',
      '1 while workers are paused until frontdesk admin release.',
      pause.heldSince ? 1 : 0,
    ),
    {
      name: 'frontdesk_webhook_attempts_recent',
      type: 'gauge',
      help: 'Webhook delivery attempts of the last 5 minutes, by status.',
      samples: attempts.map(({ status, times }) => ({ labels: { status }, value: times })),
    },
    {
      name: 'frontdesk_messages_recent',
      type: 'gauge',
      help: 'Outbound messages of the last 5 minutes, by channel and status.',
      samples: messages.map(({ channel, status, times }) => ({
        labels: { channel, status },
        value: times,
      })),
    },
    gauge(
      'frontdesk_workflow_runs_failed_recent',
      'Workflow runs that ended with an error in the last 5 minutes.',
      failed?.runs ?? 0,
    ),
    gauge(
      'frontdesk_mails_skipped',
      'Mails that were passed over because they could not be fetched, read or stored.',
      skipped?.skipped ?? 0,
    ),
    ...others.flat(),
  ];
}

function queueMetrics(queue: QueueStatus, now: Date): readonly Metric[] {
  const age = queue.oldest === null ? 0 : (now.getTime() - Date.parse(queue.oldest)) / 1_000;
  return [
    gauge(
      'frontdesk_queue_depth',
      'Jobs that are running or due.',
      queue.depth - queue.unpublished,
    ),
    gauge(
      'frontdesk_queue_oldest_seconds',
      'How long the oldest due job has been due, in seconds.',
      Math.max(0, age),
    ),
    gauge('frontdesk_queue_failing', 'Jobs whose last attempt failed.', queue.failing),
    gauge('frontdesk_queue_given_up', 'Failed jobs that are not retried.', queue.givenUp),
  ];
}

interface Attempts {
  readonly status: string;
  readonly times: number;
}

interface Messages extends Attempts {
  readonly channel: string;
}

/** Ids contain the time, so the primary key finds recent rows. */
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

const FAILED_RUNS = `select count(*)::int as runs from workflow_runs
  where status = 'failed' and finished_at is not null and finished_at > $1`;

const SKIPPED = `select coalesce(sum(skipped), 0)::int as skipped from mailboxes`;

/** Returns the metrics of pending work outside of the queue: attempts, campaigns, runs. */
async function backlogMetrics(view: Pick<View, 'rows'>): Promise<readonly Metric[]> {
  const [figures] = await view.rows<Backlog>(BACKLOG, []);
  const campaigns = await view.rows<Campaigns>(CAMPAIGNS, []);
  if (!figures) {
    throw new Error('an aggregate returned no row');
  }
  const { attempts, attemptLate, runs, runLate } = figures;
  return [
    gauge(
      'frontdesk_webhook_attempts_waiting',
      'Pending webhook delivery attempts, due or scheduled.',
      attempts,
    ),
    gauge(
      'frontdesk_webhook_attempts_late_seconds',
      'How long the oldest attempt of an active subscription has been due, in seconds.',
      attemptLate,
    ),
    gauge('frontdesk_workflow_runs_due', 'Workflow runs whose next step is due.', runs),
    gauge(
      'frontdesk_workflow_runs_late_seconds',
      'How long the oldest due workflow run has been due, in seconds.',
      runLate,
    ),
    {
      name: 'frontdesk_campaigns',
      type: 'gauge',
      help: 'Campaigns that are sending, held or paused.',
      samples: campaigns.map(({ status, times }) => ({ labels: { status }, value: times })),
    },
    {
      name: 'frontdesk_campaign_recipients_pending',
      type: 'gauge',
      help: 'Recipients of these campaigns that were not mailed yet.',
      samples: campaigns.map(({ status, pending }) => ({ labels: { status }, value: pending })),
    },
  ];
}

interface Backlog {
  readonly attempts: number;
  readonly attemptLate: number;
  readonly runs: number;
  readonly runLate: number;
}

interface Campaigns {
  readonly status: string;
  readonly times: number;
  readonly pending: number;
}

const lateSeconds = (since: string) =>
  `greatest(0, coalesce(extract(epoch from now() - ${since}), 0))::float8`;

/** Returns the number of pending attempts of the installation; null while a node cannot be queried. */
export const waitingAttempts = (view: Pick<View, 'rows'>): Promise<number | null> =>
  view.rows<{ count: number }>(WAITING, []).then(
    ([row]) => row?.count ?? 0,
    () => null,
  );

const PENDING = `webhook_subscriptions s
    join webhook_deliveries d on d.sub_account_id = s.sub_account_id and d.subscription_id = s.id
      and d.status = 'pending'
    where s.deleted_at is null`;

const WAITING = `select count(*)::int as count from ${PENDING}`;

/** Each part reads few rows by an index of its own. */
const BACKLOG = `select attempts.*, runs.*
  from (
    select count(*)::int as attempts, ${lateSeconds(`min(greatest(d.next_attempt_at,
      s.paused_until)) filter (where s.status = 'active')`)} as "attemptLate"
    from ${PENDING}
  ) as attempts, (
    select count(*)::int as runs, ${lateSeconds('min(least(wake_at, backlogged_at))')} as "runLate"
    from workflow_runs where wake_at <= now() or backlogged_at is not null
  ) as runs`;

/** Counted by sub-account first: a node has the recipients of its campaigns only. */
const CAMPAIGNS = `
  select status.name as status, coalesce(found.times, 0)::int as times,
    coalesce(found.pending, 0)::int as pending
  from (values ('sending'), ('held'), ('paused')) as status (name)
  left join (
    select status, count(*) as times, sum(pending) as pending
    from (
      select c.status, (
        select count(*) from campaign_recipients r
        where r.sub_account_id = c.sub_account_id and r.campaign_id = c.id
          and r.status in ('pending', 'sending')
      ) as pending
      from campaigns c where c.status in ('sending', 'held', 'paused')
    ) as unfinished
    group by 1
  ) as found on found.status = status.name
  order by 1`;

/** Returns the size of the database, its free connections, and whether it accepts writes. */
async function databaseMetrics(view: Pick<View, 'rows'>): Promise<readonly Metric[]> {
  const [found] = await view.rows<Server>(SERVER, []);
  if (!found) {
    throw new Error('a select of one row returned none');
  }
  const { bytes, free, isWritable } = found;
  return [
    gauge('frontdesk_database_size_bytes', 'Size of the database on disk, in bytes.', bytes),
    gauge('frontdesk_database_connections_free', 'Free connections of PostgreSQL.', free),
    gauge(
      'frontdesk_database_writable',
      '0 while the database is read-only, such as a standby; otherwise 1.',
      isWritable ? 1 : 0,
    ),
  ];
}

interface Server {
  readonly bytes: number;
  readonly free: number;
  readonly isWritable: boolean;
}

const SERVER = `select pg_database_size(current_database()) as bytes,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - (select sum(numbackends)::int from pg_stat_database) as free,
  current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery() as "isWritable"`;
