import type { IncomingRows } from '#core/secrets.ts';

/** The number of things that an imported sub-account would do at once. */
export interface Overdue {
  readonly jobs: number;
  readonly events: number;
  readonly campaigns: number;
  readonly workflowRuns: number;
}

/** Counts what is due in the incoming rows. */
export async function findOverdue({ rows }: Pick<IncomingRows, 'rows'>): Promise<Overdue> {
  const [overdue] = await rows<Overdue>(OVERDUE);
  return overdue as Overdue;
}

export const isNothing = (overdue: Overdue): boolean =>
  Object.values(overdue).every((count) => count === 0);

/** Returns text such as `3 jobs, 1 campaign`. */
export const describeOverdue = (overdue: Overdue): string =>
  Object.entries(NAMES)
    .map(([name, [one, many]]) => ({ count: overdue[name as keyof Overdue], one, many }))
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => `${count} ${count === 1 ? one : many}`)
    .join(', ');

const NAMES: Readonly<Record<keyof Overdue, readonly [one: string, many: string]>> = {
  jobs: ['job', 'jobs'],
  events: ['unpublished event', 'unpublished events'],
  campaigns: ['campaign', 'campaigns'],
  workflowRuns: ['workflow run', 'workflow runs'],
};

/** A campaign in status `sending` continues where it was. */
const OVERDUE = `
  select
    (select count(*)::int from staged_jobs where run_at <= now()) as jobs,
    (select count(*)::int from incoming_outbox) as events,
    (select count(*)::int from incoming_campaigns
     where status = 'sending' or status = 'scheduled' and scheduled_at <= now()) + (
      select count(*)::int from incoming_recurring_campaigns where active and next_at <= now()
    ) as campaigns,
    (select count(*)::int from incoming_workflow_runs
     where wake_at <= now() or backlogged_at is not null) as "workflowRuns"`;

/** Returns a warning for each slug of another sub-account's workflow: calls have no sub-account. */
export async function findSharedSlugs(
  { rows }: Pick<IncomingRows, 'rows'>,
  subAccountId: string,
): Promise<readonly string[]> {
  const shared = await rows<{ slug: string }>(SHARED, [subAccountId]);
  return shared.map(
    ({ slug }) =>
      `${slug} is also the slug of an active workflow of another sub-account: calls of both return 404`,
  );
}

const SHARED = `
  select distinct mine.slug from incoming_workflows mine join workflows other using (slug)
  where mine.deleted_at is null and other.deleted_at is null and mine.active and other.active
    and other.sub_account_id <> $1
  order by mine.slug`;
