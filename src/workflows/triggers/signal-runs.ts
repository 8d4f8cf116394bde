import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { queueRuns } from '../runs/workflows.jobs.ts';

/**
 * Tells runs that are not over of events that are goals of theirs: those that stand at the goal go
 * on, the others will remember it. Answers how many go on.
 */
export async function signalRuns(
  work: Work,
  events: readonly Happened[],
  workflowId?: string,
): Promise<number> {
  if (events.length === 0) {
    return 0;
  }
  const contacts = events.some(({ contactId }) => contactId === null)
    ? null
    : [...new Set(events.map(({ contactId }) => contactId))];
  const names = [...new Set(events.map(({ name }) => name))];
  const { subAccountId, now } = work;
  // Held, so that none comes to its goal meanwhile without having been told.
  const runs = await work.rows<WaitingRun>(HOPING, [
    subAccountId,
    contacts,
    names,
    workflowId ?? null,
  ]);
  const { signals, advanced } = goalsReached(runs, events);
  if (signals.length > 0) {
    await work.rows(REMEMBER, [
      subAccountId,
      signals.map(() => newId(now)),
      signals.map(({ runId }) => runId),
      signals.map(({ event }) => event),
    ]);
    await work.rows(RELEASE, [subAccountId, advanced, now]);
    await queueRuns(work, advanced);
  }
  return advanced.length;
}

const HOPING = `select r.id as "runId", r.contact_id as "contactId", v.goals,
    r.waiting_for as "waitingFor", r.since_position as "sincePosition", r.created_at as "createdAt"
  from workflow_runs r
  join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
  where r.sub_account_id = $1 and r.finished_at is null and v.goals && $3::text[]
    and ($2::uuid[] is null or r.contact_id = any($2::uuid[]))
    and ($4::uuid is null or r.workflow_id = $4)
  order by r.id for no key update of r`;

const REMEMBER = `insert into workflow_signals (sub_account_id, id, run_id, event)
  select $1, s.id, s.run_id, s.event
  from unnest($2::uuid[], $3::uuid[], $4::text[]) as s (id, run_id, event)`;

/** What it waited for is there: a second event of the kind is one for the next such goal. */
const RELEASE = `update workflow_runs set waiting_for = null, updated_at = $3
  where sub_account_id = $1 and id = any($2::uuid[])`;

/** A run that is not over, with the goals of its version. */
export interface WaitingRun {
  readonly runId: string;
  readonly contactId: string | null;
  readonly goals: readonly string[];
  /** The goal that it stands at, where that has not been met. */
  readonly waitingFor: string | null;
  /** Of a run that an event began, that event's place in the order. */
  readonly sincePosition: number | null;
  readonly createdAt: Date;
}

export interface Happened {
  readonly name: string;
  /** Null where it is for everybody. */
  readonly contactId: string | null;
  readonly occurredAt: Date;
  /** Null of what stands in no order. */
  readonly position: number | null;
}

export interface Reached {
  /** What each run will have had, once per event. */
  readonly signals: readonly { readonly runId: string; readonly event: string }[];
  /** Runs that stood at the goal. */
  readonly advanced: readonly string[];
}

/** Which runs an event is for. One that comes before the run is at its goal is remembered. */
export function goalsReached(runs: readonly WaitingRun[], events: readonly Happened[]): Reached {
  const signals: { runId: string; event: string }[] = [];
  const advanced = new Set<string>();
  for (const event of events) {
    for (const run of runs.filter((one) => concerns(event, one))) {
      signals.push({ runId: run.runId, event: event.name });
      if (run.waitingFor === event.name) {
        advanced.add(run.runId);
      }
    }
  }
  return { signals, advanced: [...advanced] };
}

const concerns = (event: Happened, run: WaitingRun): boolean =>
  run.goals.includes(event.name) &&
  (event.contactId === null || event.contactId === run.contactId) &&
  isLater(event, run);

/** What began a run, and what happened before, is not for it. */
const isLater = ({ position, occurredAt }: Happened, run: WaitingRun): boolean =>
  position !== null && run.sincePosition !== null
    ? position > run.sincePosition
    : occurredAt >= run.createdAt;
