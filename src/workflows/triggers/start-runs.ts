import { newId } from '#lib/id.ts';
import type { Log } from '#core/tools.ts';
import type { Work } from '#core/work.ts';
import { lockLiveContacts } from '../../contacts/contact.store.ts';
import { FIRST } from '../definition/places.ts';
import { QUEUE_RUNS, queueRuns } from '../runs/workflows.jobs.ts';

/** The longest chain of runs that cause each other. */
const DEPTH_MAX = 10;

/** A run to start. */
export interface StartInput {
  readonly workflowId: string;
  readonly slug: string;
  readonly versionId: string;
  readonly reenter: boolean;
  readonly contactId: string | null;
  /** `inbound_webhook`, the event's name, or `test`. */
  readonly trigger: string;
  readonly data: object;
  /** Number of runs that caused this one, one after the other. */
  readonly depth: number;
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
  const records = startable.map((start) => recordOf(work, start));
  const inserted = await work.rows<{ id: string; isLoop: boolean }>(
    INSERT,
    valuesOf(work, records),
  );
  for (const { slug, contactId, trigger, depth } of records.filter(({ isLoop }) => isLoop)) {
    log?.warn({ workflow: slug, contactId, trigger, depth }, `workflow run not started: ${LOOP}`);
  }
  const started = inserted.filter(({ isLoop }) => !isLoop).map(({ id }) => id);
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

const recordOf = (work: Work, start: StartInput) => ({
  ...start,
  id: newId(work.now),
  isLoop: start.depth > DEPTH_MAX,
});

const valuesOf = ({ subAccountId, now }: Work, records: readonly object[]) => [
  subAccountId,
  JSON.stringify(records),
  FIRST,
  now,
  LOOP,
];

const LOOP = `workflows start each other in a loop of more than ${DEPTH_MAX} runs`;

const INSERT = `insert into workflow_runs (sub_account_id, id, workflow_id, version_id, contact_id,
    status, beside_others, trigger, data, since_position, depth, place, error, created_at, updated_at,
    finished_at)
  select $1, s.id, s."workflowId", s."versionId", s."contactId",
    case when s."isLoop" then 'failed' else 'running' end, s.reenter, s.trigger, s.data,
    s."sincePosition", s.depth, $3, case when s."isLoop" then $5 end, $4, $4,
    case when s."isLoop" then $4::timestamptz end
  from json_to_recordset($2::json) as s (id uuid, "workflowId" uuid, "versionId" uuid,
    "contactId" uuid, reenter boolean, trigger text, data json, "sincePosition" int8, depth int,
    "isLoop" boolean)
  on conflict do nothing
  returning id, finished_at is not null as "isLoop"`;
