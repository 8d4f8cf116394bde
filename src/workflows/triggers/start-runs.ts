import { newId } from '#lib/id.ts';
import type { Log } from '#core/tools.ts';
import type { Work } from '#core/work.ts';
import { lockLiveContacts } from '../../contacts/contact.store.ts';
import { FIRST } from '../definition/places.ts';
import type { Cause } from '../runs/effects.ts';
import { QUEUE_RUNS, queueRuns } from '../runs/workflows.jobs.ts';

/** The longest chain of runs that cause each other. */
const DEPTH_MAX = 10;
/** The runs that one run causes at most, directly or by other runs. A fan-out ends before it is deep. */
const CAUSED_MAX = 100;

/** A run to start. */
export interface StartInput extends Cause {
  readonly workflowId: string;
  readonly slug: string;
  readonly versionId: string;
  readonly reenter: boolean;
  readonly contactId: string | null;
  /** `inbound_webhook`, the event's name, or `test`. */
  readonly trigger: string;
  readonly data: object;
  /** Position of the event that starts the run. */
  readonly sincePosition: number | null;
}

/**
 * Starts runs and returns their ids. No run is started for a deleted contact, or for a contact with an
 * unfinished run unless the workflow allows reentry. A run that continues a loop is stored as failed.
 */
export async function startRuns(
  work: Work,
  starts: readonly StartInput[],
  log?: Log,
): Promise<readonly string[]> {
  const ids = starts.flatMap(({ contactId }) => contactId ?? []);
  const live = await lockLiveContacts(work, ids);
  const startable = starts.filter(({ contactId }) => contactId === null || live.has(contactId));
  if (startable.length === 0) {
    return [];
  }
  const records = withoutRepeats(startable).map((start) => recordOf(work, start));
  const inserted = await work.rows<InsertedRow>(INSERT, valuesOf(work, records));
  warnOfRefused(records, inserted, log);
  const started = inserted.filter(({ error }) => error === null).map(({ id }) => id);
  await queueRuns(work, started);
  return started;
}

/**
 * Starts a run for a contact that this work creates: the inserts are deferred to its end. It has begun
 * a transaction, so the run is there when it is queued.
 */
export function startFirstRun(work: Work, start: StartInput): string {
  const record = recordOf(work, start);
  work.write(INSERT, valuesOf(work, [record]));
  work.write(QUEUE_RUNS, [work.subAccountId, [record.id]]);
  return record.id;
}

/**
 * Leaves out starts that an earlier one prevents, so that they are not counted: of the same chain, for a
 * contact that has one run of the workflow at a time.
 */
function withoutRepeats(starts: readonly StartInput[]): readonly StartInput[] {
  const seen = new Set<string>();
  return starts.filter(({ root, reenter, contactId, workflowId, depth }) => {
    if (root === null || reenter || contactId === null || depth > DEPTH_MAX) {
      return true;
    }
    const key = `${root}:${workflowId}:${contactId}`;
    const isRepeat = seen.has(key);
    seen.add(key);
    return !isRepeat;
  });
}

/** A start with the id of its run. */
interface StartRecord extends StartInput {
  readonly id: string;
  /** Why the run is stored as failed, if it does not depend on other runs. */
  readonly refusal: string | null;
}

const recordOf = (work: Work, start: StartInput): StartRecord => ({
  ...start,
  id: newId(work.now),
  refusal: start.depth > DEPTH_MAX ? TOO_DEEP : null,
});

const valuesOf = ({ subAccountId, now }: Work, records: readonly StartRecord[]) => [
  subAccountId,
  JSON.stringify(records),
  FIRST,
  now,
  TOO_MANY,
];

/** The console looks for how these begin. */
const TOO_DEEP = `workflows start each other in a loop of more than ${DEPTH_MAX} runs`;
const TOO_MANY = `workflows start each other too often: one run caused more than ${CAUSED_MAX} others`;

interface InsertedRow {
  readonly id: string;
  readonly error: string | null;
}

function warnOfRefused(
  records: readonly StartRecord[],
  inserted: readonly InsertedRow[],
  log: Log | undefined,
): void {
  const errors = new Map(inserted.map(({ id, error }) => [id, error]));
  for (const { id, slug, contactId, trigger, depth, root } of records) {
    const error = errors.get(id) ?? null;
    if (error !== null) {
      const about = { workflow: slug, contactId, trigger, depth, root };
      log?.warn(about, `workflow run not started: ${error}`);
    }
  }
}

/**
 * Counts the runs that each root has caused: only runs that start have one. Starts without a root cost
 * nothing more. Those that the contact's unfinished run prevents are left out before they are counted.
 */
const INSERT = `insert into workflow_runs (sub_account_id, id, workflow_id, version_id, contact_id,
    status, beside_others, trigger, data, since_position, depth, root, place, error, created_at,
    updated_at, finished_at)
  with starts as (
    select * from json_to_recordset($2::json) as s (id uuid, "workflowId" uuid, "versionId" uuid,
      "contactId" uuid, reenter boolean, trigger text, data json, "sincePosition" int8, depth int,
      root uuid, refusal text)
    where s.root is null or s.reenter or not exists (
      select from workflow_runs r
      where r.sub_account_id = $1 and r.workflow_id = s."workflowId" and r.contact_id = s."contactId"
        and r.finished_at is null and not r.beside_others)
  ), caused as (
    select root, count(*) as runs from workflow_runs
    where sub_account_id = $1
      and root = any (array(select root from starts where root is not null))
    group by root
  ), decided as (
    select s.*, coalesce(refusal, case
        when root is not null and coalesce(caused.runs, 0) + count(*) filter (where refusal is null)
          over (partition by root order by id) > ${CAUSED_MAX} then $5 end) as error
    from starts s left join caused using (root)
  )
  select $1, id, "workflowId", "versionId", "contactId",
    case when error is null then 'running' else 'failed' end, reenter, trigger, data,
    "sincePosition", depth, case when error is null then root end, $3, error, $4, $4,
    case when error is not null then $4::timestamptz end
  from decided
  on conflict do nothing
  returning id, error`;
