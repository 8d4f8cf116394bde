import type { View } from '#core/work.ts';
import { gauge, type Metric } from '#platform/metrics/exposition.ts';

/** What is promised and not done yet, beside the queue: attempts, campaigns, runs. */
export async function backlogMetrics(view: Pick<View, 'rows'>): Promise<readonly Metric[]> {
  const [figures] = await view.rows<Backlog>(BACKLOG, []);
  const campaigns = await view.rows<Campaigns>(CAMPAIGNS, []);
  if (!figures) {
    throw new Error('an aggregate answered no row');
  }
  const { attempts, attemptLate, runs, runLate } = figures;
  return [
    gauge('frontdesk_webhook_attempts_waiting', 'Attempts that are due or will be.', attempts),
    gauge(
      'frontdesk_webhook_attempts_late_seconds',
      'How long the oldest attempt of an active subscription has been due.',
      attemptLate,
    ),
    gauge('frontdesk_workflow_runs_due', 'Runs of workflows whose next step is due.', runs),
    gauge('frontdesk_workflow_runs_late_seconds', 'How long the oldest has been due.', runLate),
    {
      name: 'frontdesk_campaigns',
      type: 'gauge',
      help: 'Campaigns that are under way or held.',
      samples: campaigns.map(({ status, times }) => ({ labels: { status }, value: times })),
    },
    {
      name: 'frontdesk_campaign_recipients_pending',
      type: 'gauge',
      help: 'Recipients whom campaigns under way or held have not reached yet.',
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

/** Of the few rows that wait: each part has an index of its own. */
const BACKLOG = `select attempts.*, runs.*
  from (
    select count(*)::int as attempts, ${lateSeconds(`min(greatest(d.next_attempt_at,
      s.paused_until)) filter (where s.status = 'active')`)} as "attemptLate"
    from webhook_subscriptions s
    join webhook_deliveries d on d.sub_account_id = s.sub_account_id and d.subscription_id = s.id
      and d.status = 'pending'
    where s.deleted_at is null
  ) as attempts, (
    select count(*)::int as runs, ${lateSeconds('min(wake_at)')} as "runLate"
    from workflow_runs where wake_at <= now()
  ) as runs`;

const CAMPAIGNS = `
  select status.name as status, count(c.id)::int as times, coalesce(sum(ledger.pending), 0)::int as pending
  from (values ('sending'), ('held'), ('paused')) as status (name)
  left join campaigns c on c.status = status.name
  left join lateral (
    select count(*) as pending from campaign_recipients r
    where r.sub_account_id = c.sub_account_id and r.campaign_id = c.id
      and r.status in ('pending', 'sending')
  ) as ledger on true
  group by 1 order by 1`;
