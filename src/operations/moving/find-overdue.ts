import type { IncomingRows } from '#core/secrets.ts';

/** What of an incoming sub-account would happen at once, by how many there are. */
export interface Overdue {
  readonly jobs: number;
  readonly events: number;
  readonly campaigns: number;
  readonly workflowRuns: number;
}

export async function findOverdue({ rows }: Pick<IncomingRows, 'rows'>): Promise<Overdue> {
  const [overdue] = await rows<Overdue>(OVERDUE);
  return overdue as Overdue;
}

export const isNothing = (overdue: Overdue): boolean =>
  Object.values(overdue).every((count) => count === 0);

/** `3 jobs, 1 campaign` */
export const describeOverdue = (overdue: Overdue): string =>
  Object.entries(NAMES)
    .map(([name, [one, many]]) => ({ count: overdue[name as keyof Overdue], one, many }))
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => `${count} ${count === 1 ? one : many}`)
    .join(', ');

const NAMES: Readonly<Record<keyof Overdue, readonly [one: string, many: string]>> = {
  jobs: ['job', 'jobs'],
  events: ['event that nobody was told of', 'events that nobody was told of'],
  campaigns: ['campaign', 'campaigns'],
  workflowRuns: ['workflow run', 'workflow runs'],
};

/** A campaign that sends is one that goes on where it was. */
const OVERDUE = `
  select
    (select count(*)::int from staged_jobs where run_at <= now()) as jobs,
    (select count(*)::int from incoming_outbox) as events,
    (select count(*)::int from incoming_campaigns
     where status = 'sending' or status = 'scheduled' and scheduled_at <= now()) as campaigns,
    (select count(*)::int from incoming_workflow_runs where wake_at <= now()) as "workflowRuns"`;
