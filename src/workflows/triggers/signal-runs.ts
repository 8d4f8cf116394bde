import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { queueRuns } from '../runs/workflows.jobs.ts';

/**
 * Signals events to the unfinished runs that have them as goals. Runs that wait for the goal continue;
 * for the others, the event is stored. Returns the number of runs that continue.
 */
export async function signalRuns(
  work: Work,
  events: readonly SignalledEvent[],
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
  // Locked: a run that reaches its goal in between would miss the event.
  const runs = await work.rows<WaitingRun>(LOCK_WAITING, [
    subAccountId,
    contacts,
    names,
    workflowId ?? null,
  ]);
  const advanced = new Set<string>();
  let signals: GoalMatches['signals'] = [];
  for (const event of events) {
    const matches = matchGoals(runs, [event]);
    matches.advanced.forEach((id) => advanced.add(id));
    signals = signals.concat(matches.signals);
    if (signals.length >= STORED_AT_ONCE) {
      await storeSignals(work, signals);
      signals = [];
    }
  }
  await storeSignals(work, signals);
  if (advanced.size > 0) {
    const ids = [...advanced];
    await work.rows(CLEAR_GOAL, [subAccountId, ids, now]);
    await queueRuns(work, ids);
  }
  return advanced.size;
}

/** Each of 200 events may concern 20,000 runs: at once, the signals would block the process for seconds. */
const STORED_AT_ONCE = 5_000;

async function storeSignals(work: Work, signals: GoalMatches['signals']): Promise<void> {
  const { subAccountId, now } = work;
  for (let from = 0; from < signals.length; from += STORED_AT_ONCE) {
    const some = signals.slice(from, from + STORED_AT_ONCE);
    await work.rows(STORE, [
      subAccountId,
      some.map(() => newId(now)),
      some.map(({ runId }) => runId),
      some.map(({ event }) => event),
    ]);
  }
}

const LOCK_WAITING = `select r.id as "runId", r.contact_id as "contactId", v.goals,
    r.waiting_for as "waitingFor", r.since_position as "sincePosition", r.created_at as "createdAt"
  from workflow_runs r
  join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
  where r.sub_account_id = $1 and r.finished_at is null and v.goals && $3::text[]
    and ($2::uuid[] is null or r.contact_id = any($2::uuid[]))
    and ($4::uuid is null or r.workflow_id = $4)
  order by r.id for no key update of r`;

const STORE = `insert into workflow_signals (sub_account_id, id, run_id, event)
  select $1, s.id, s.run_id, s.event
  from unnest($2::uuid[], $3::uuid[], $4::text[]) as s (id, run_id, event)`;

/** Clears the goal: a second event with this name meets the next such goal. */
const CLEAR_GOAL = `update workflow_runs set waiting_for = null, updated_at = $3
  where sub_account_id = $1 and id = any($2::uuid[])`;

/** An unfinished run with the goals of its version. */
export interface WaitingRun {
  readonly runId: string;
  readonly contactId: string | null;
  readonly goals: readonly string[];
  /** The event for which the run waits. */
  readonly waitingFor: string | null;
  /** Position of the event that started the run. */
  readonly sincePosition: number | null;
  readonly createdAt: Date;
}

export interface SignalledEvent {
  readonly name: string;
  /** Null for an event that concerns every contact. */
  readonly contactId: string | null;
  readonly occurredAt: Date;
  /** Null for an event from outside, which has no position. */
  readonly position: number | null;
}

export interface GoalMatches {
  /** The events to store, per run. */
  readonly signals: readonly { readonly runId: string; readonly event: string }[];
  /** The runs that waited for one of the events. */
  readonly advanced: readonly string[];
}

/** Returns the runs that the events concern. An event before its goal is stored for later. */
export function matchGoals(
  runs: readonly WaitingRun[],
  events: readonly SignalledEvent[],
): GoalMatches {
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

const concerns = (event: SignalledEvent, run: WaitingRun): boolean =>
  run.goals.includes(event.name) &&
  (event.contactId === null || event.contactId === run.contactId) &&
  isLater(event, run);

/** The event that started a run and earlier ones do not count. */
const isLater = ({ position, occurredAt }: SignalledEvent, run: WaitingRun): boolean =>
  position !== null && run.sincePosition !== null
    ? position > run.sincePosition
    : occurredAt >= run.createdAt;
