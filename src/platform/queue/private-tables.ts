import type { QueryConfig } from 'pg';
import { isoText } from '#core/schema/columns.ts';

/**
 * Everything that depends on the private parts of graphile-worker: its tables, and the names of its
 * statements. No other source file may name them.
 *
 * Statements that change several jobs lock them in the order of their ids, and before their queues,
 * as graphile-worker does: otherwise they would deadlock each other. Fetching and ending jobs is hot
 * (bench: deliver-webhooks, first-attempt); no entity describes tables that another package migrates.
 */
const GRAPHILE_VERSION = '0.18.0';

/** Throws an Error if the running graphile-worker is not the release that this file was written for. */
export function requireGraphileVersion(version: string): void {
  if (version !== GRAPHILE_VERSION) {
    throw new Error(
      `graphile-worker: version ${version}, but src/platform/queue/private-tables.ts depends on private tables of ${GRAPHILE_VERSION}. Install ${GRAPHILE_VERSION}, or check that file against ${version}`,
    );
  }
}

const JOBS = 'graphile_worker._private_jobs';
const TASKS = 'graphile_worker._private_tasks';
const QUEUES = 'graphile_worker._private_job_queues';

/** The statements of graphile-worker that a lane routes, by the names that it prepares them under. */
export const GRAPHILE_STATEMENTS = {
  complete: /^complete_job\//,
  completeInQueue: /^complete_job_q\//,
  fail: /^fail_job(?:_q)?\//,
  fetch: /^get_job/,
};

/** The statement of `GRAPHILE_STATEMENTS.fetch`, without the jobs of these sub-accounts. */
export function fetchWithout(fetch: QueryConfig, subAccountIds: readonly string[]): QueryConfig {
  const values = [...(fetch.values ?? []), subAccountIds];
  const others = `(payload ->> 'subAccountId' = any($${values.length}::text[])) is not true`;
  const text = fetch.text.replace('order by priority asc', `and ${others} $&`);
  return { name: `frontdesk_${fetch.name}`, text, values };
}

/** The ids in the parameters of a statement that `GRAPHILE_STATEMENTS.fail` matches. */
export const failedIds = (values: readonly unknown[]): string[] =>
  (JSON.parse(String(values[1])) as { readonly jobId: string }[]).map(({ jobId }) => jobId);

/** The interrupted attempt does not count. */
const UNLOCK = `attempts = greatest(0, least(attempts, max_attempts) - 1),
  locked_at = null, locked_by = null`;

const WAS_STARTED = `j.flags ->> 'startedBy' = j.locked_by`;
const WAS_ALONE = `j.flags ->> 'aloneBy' = j.locked_by`;
const count = (flag: string) => `coalesce((j.flags ->> '${flag}')::int, 0)`;
const DEATHS = count('deaths');

/** After a first death, only starts count. Jobs that outlived the longest time alone wait before the next start. */
const COUNT_DEATH = `flags = coalesce(j.flags, '{}') || case
    when ${WAS_ALONE} then jsonb_build_object('deathsAlone', ${count('deathsAlone')} + 1)
    when ${DEATHS} = 0 or ${WAS_STARTED} then jsonb_build_object('deaths', ${DEATHS} + 1)
    else '{}' end,
  run_at = case when ${DEATHS} > 6 and ${WAS_STARTED} and (${WAS_ALONE}) is not true
    then now() + 2 ^ least(${DEATHS} - 4, 10) * interval '1 s' else j.run_at end`;

/**
 * Workers other than $2 that hold jobs and whose lock of class $1 is free. The lock taken here ends
 * with the statement.
 */
export const FIND_DEAD_WORKERS = `
  select id from (
    select locked_by as id from ${JOBS} where locked_by is not null
    union
    select locked_by from ${QUEUES} where locked_by is not null
  ) as worker
  where id <> $2 and pg_try_advisory_xact_lock($1, hashtext(id))`;

/** Frees the jobs and queues of the workers $1, and counts their deaths with each job. */
export const FREE_JOBS_OF_WORKERS = `
  with abandoned as materialized (
    select id from ${JOBS} where locked_by = any($1) order by id for update
  ), jobs as (
    update ${JOBS} j set ${UNLOCK}, ${COUNT_DEATH}
    from abandoned where j.id = abandoned.id returning j.id
  ), idle as materialized (
    select q.id from ${QUEUES} q
    where q.locked_by = any($1) and (select count(*) from jobs) >= 0
    order by q.id for update
  ), queues as (
    update ${QUEUES} q set locked_at = null, locked_by = null
    from idle where q.id = idle.id
  )
  select count(*)::int as jobs from jobs`;

/** Records that the worker $2 starts the job $1, whose earlier workers have died; $3: alone. */
export const MARK_STARTED = `update ${JOBS} set flags = flags
    || jsonb_build_object('startedBy', $2::text, 'aloneBy', case when $3::boolean then $2 end)
  where id = $1 and locked_by = $2`;

/** Removes the flags $3 of the job $1 of the worker $2. */
export const REMOVE_FLAGS = `update ${JOBS} set flags = flags - $3::text[] where id = $1 and locked_by = $2`;

/** Makes the running attempt of the job $1 its last one. */
export const MAKE_LAST_ATTEMPT = `update ${JOBS} set max_attempts = attempts where id = $1 and locked_by = $2`;

/** The beginning of a statement that changes jobs: locks `those` in the order of their ids. */
const withThose = (condition: string): string => `with those as materialized (
    select id from ${JOBS} where ${condition} order by id for update
  )`;

/** Frees jobs that the worker $1 has had for more than $3 ms without knowing them ($2: those it knows). */
export const FREE_LOST_JOBS = `${withThose(`locked_by = $1 and id <> all($2::bigint[])
    and locked_at < now() - $3 * interval '1 ms'`)}
  update ${JOBS} j set ${UNLOCK} from those where j.id = those.id`;

/** Makes the jobs $1 due again, unless another worker than $2 has taken them. */
export const REQUEUE_JOBS = `${withThose(
  `id = any($1::bigint[]) and (locked_by is null or locked_by = $2)`,
)}
  update ${JOBS} j
  set attempts = greatest(0, attempts - 1), run_at = least(run_at, now()), last_error = null,
    locked_at = null, locked_by = null
  from those where j.id = those.id`;

/**
 * Makes jobs that were queued while the clock of the database was ahead wait from now on. Those that wait
 * for longer than a day are for a certain time.
 */
export const REQUEUE_JOBS_FROM_AHEAD = `${withThose(`locked_at is null
    and updated_at > now() + interval '1 min'
    and run_at between updated_at - interval '1 s' and updated_at + interval '1 day'`)}
  update ${JOBS} j set run_at = now() + (run_at - updated_at), updated_at = now()
  from those where j.id = those.id`;

/** The jobs $1 that still belong to the worker $2: others have been given away. */
const ARE_OWN = 'id = any($1::bigint[]) and locked_by = $2';

/** Deletes the finished jobs $1 that still belong to the worker $2. */
export const COMPLETE_JOBS = {
  name: 'frontdesk_complete_jobs',
  text: `${withThose(ARE_OWN)} delete from ${JOBS} j using those where j.id = those.id`,
};

/**
 * Deletes those of the jobs $1 of the worker $2 that were superseded: `add_jobs` gives the key of a
 * running job to its successor, and uses up its attempts.
 */
export const DROP_SUPERSEDED_JOBS = {
  name: 'frontdesk_drop_superseded_jobs',
  text: `${withThose(`${ARE_OWN} and key is null and attempts >= max_attempts`)}
    delete from ${JOBS} j using those where j.id = those.id`,
};

/** Makes the jobs $1 of the worker $2 due after $3 ms. The attempt does not count. */
export const RUN_CUT_OFF_JOBS_AGAIN = {
  name: 'frontdesk_run_cut_off_jobs_again',
  text: `${withThose(ARE_OWN)}
    update ${JOBS} j
    set attempts = greatest(0, attempts - 1), run_at = now() + $3 * interval '1 ms',
      locked_at = null, locked_by = null, flags = j.flags - 'startedBy' - 'aloneBy'
    from those where j.id = those.id`,
};

/** A condition: a job with the key `key` (an SQL expression) waits for its first attempt. */
export const isQueued = (key: string): string => `exists (
  select from ${JOBS} j where j.key = ${key} and j.locked_at is null and j.attempts = 0)`;

/** A running attempt counts already: a locked job may be on its last one. */
const IS_GIVEN_UP = 'j.locked_at is null and j.attempts >= j.max_attempts';

const tickKey = (tick: string): string =>
  `${tick}.job || '@' || to_char(${tick}.ticked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** A condition: `j` is the job of a tick. Another job with its key gives the key up. */
const isOfTick = (tick: string): string => `j.key = ${tickKey(tick)}
  and j.task_id = (select id from ${TASKS} where identifier = ${tick}.job)`;

/**
 * Queues the job $1 with up to $3 attempts for its tick at $2, before the backlog, with a key of name
 * and time. Does nothing if that tick or a later one was claimed already: graphile-worker forgets a key
 * once its job is done. The first tick ever is only recorded. A tick is not claimed while the job of the
 * previous one waits or runs; if that failed for good, the new job replaces it.
 */
export const ENQUEUE_TICK = `
  with previous as materialized (
    select job, ticked_at from schedule_ticks where job = $1::text
  ), tick as (
    insert into schedule_ticks as last (job, ticked_at) values ($1, $2::timestamptz)
    on conflict (job) do update set ticked_at = excluded.ticked_at
    where (last.ticked_at < excluded.ticked_at or last.ticked_at > now() + interval '1 min')
      and not exists (
        select from ${JOBS} j where ${isOfTick('last')} and not (${IS_GIVEN_UP})
      )
    returning job, ticked_at
  ), replaced as (
    delete from ${JOBS} j using previous, tick
    where ${isOfTick('previous')} and ${IS_GIVEN_UP}
  )
  select graphile_worker.add_job(tick.job, '{}', job_key => ${tickKey('tick')},
    max_attempts => $3::int, priority => -1)
  from tick join previous using (job)`;

/** One row per job: `run_at`, `last_error`, `is_given_up`, and `is_due`: it runs now or could. */
export const JOB_STATES = `select run_at, last_error, ${IS_GIVEN_UP} as is_given_up,
    run_at <= now() and not (${IS_GIVEN_UP}) as is_due
  from ${JOBS} j`;

/** The $1 jobs whose last attempt failed most recently. */
export const FAILING_JOBS = `select t.identifier as task, j.attempts, ${IS_GIVEN_UP} as "isGivenUp",
    j.last_error as "lastError", ${isoText('j.run_at')} as "runAt"
  from ${JOBS} j join ${TASKS} t on t.id = j.task_id
  where j.last_error is not null
  order by j.updated_at desc, j.id desc limit $1`;

/** The attempt in the payload of the job of sub-account $2 with the key $1, and when it runs. */
export const KEYED_JOB = `select (j.payload ->> 'attempt')::int as attempt,
    ${isoText('j.run_at')} as "runAt"
  from ${JOBS} j
  where j.key = $1 and j.payload ->> 'subAccountId' = $2 and not (${IS_GIVEN_UP})`;

/** Deletes up to `limit` jobs that failed for good 30 days ago. */
export const pruneGivenUpJobs = (limit: number): string => `
  delete from ${JOBS} where id in (
    select id from ${JOBS} j
    where ${IS_GIVEN_UP} and updated_at < now() - interval '30 d'
    order by id limit ${limit} for update skip locked)`;

/** The sub-account of a job, in `copyJobs`. */
export const JOB_OWNER = `(j.payload ->> 'subAccountId')`;

/** Copies the columns of `JOB_COLUMNS` out. A running job is copied as waiting: its attempt may not be completed. */
export const copyJobs = (condition: string): string => `copy (
  select t.identifier, q.queue_name, j.payload, j.priority, j.run_at,
    case when j.locked_at is null then j.attempts
      else greatest(0, least(j.attempts, j.max_attempts) - 1) end,
    j.max_attempts, j.last_error, j.created_at, j.updated_at, j.key, j.flags
  from ${JOBS} j
  join ${TASKS} t on t.id = j.task_id
  left join ${QUEUES} q on q.id = j.job_queue_id
  where ${condition}
  order by j.id
) to stdout`;

export const STAGED_JOBS = 'staged_jobs';

/** Creates the temporary table that jobs of a backup are copied into. */
export const STAGE_JOBS = `create temporary table ${STAGED_JOBS} (
  place bigint generated always as identity, task text, queue text, payload json,
  priority smallint, run_at timestamptz, attempts smallint, max_attempts smallint, last_error text,
  created_at timestamptz, updated_at timestamptz, key text, flags jsonb
) on commit drop`;

/** Queues the staged jobs in their order, with new ids. */
export const QUEUE_STAGED_JOBS = [
  `insert into ${TASKS} (identifier)
   select distinct task from ${STAGED_JOBS} on conflict do nothing`,
  `insert into ${QUEUES} (queue_name)
   select distinct queue from ${STAGED_JOBS} where queue is not null on conflict do nothing`,
  `insert into ${JOBS} (job_queue_id, task_id, payload, priority, run_at,
     attempts, max_attempts, last_error, created_at, updated_at, key, flags)
   select q.id, t.id, j.payload, j.priority, j.run_at, j.attempts, j.max_attempts, j.last_error,
     j.created_at, j.updated_at, j.key, j.flags
   from ${STAGED_JOBS} j
   join ${TASKS} t on t.identifier = j.task
   left join ${QUEUES} q on q.queue_name = j.queue
   order by j.place`,
];

/** A staged job whose key belongs to another sub-account than $1 already. */
export const FIND_TAKEN_JOB_KEY = `
  select from ${STAGED_JOBS} mine join ${JOBS} other using (key)
  where other.payload ->> 'subAccountId' is distinct from $1::uuid::text limit 1`;

export const JOB_TABLES = `${JOBS}, ${QUEUES}`;

/** Deletes the jobs of the sub-account $1. */
export const DELETE_JOBS_OF_SUB_ACCOUNT = `${withThose(`payload ->> 'subAccountId' = $1::uuid::text`)}
  delete from ${JOBS} j using those where j.id = those.id`;

export const COUNT_JOBS = `select count(*)::int as rows from ${JOBS}`;

/** The last of the next $2 jobs after the id $1; no row if there are fewer. */
export const END_OF_JOB_BATCH = `select id::text as id from ${JOBS} where id > $1::bigint order by id offset $2::int - 1 limit 1`;

/**
 * Deletes jobs of the sub-account $1, after the id $5 and up to $6, whose payload matches the pattern $2
 * or names one of the contacts $3 as `contactId`; replaces what $2 finds in errors by $4. Returns both counts.
 */
export const ERASE_FROM_JOBS = `
  with its as materialized (
    select id, payload::text ~* $2 or payload ->> 'contactId' = any($3::text[]) as is_about
    from ${JOBS}
    where id > $5::bigint and ($6::bigint is null or id <= $6) and payload ->> 'subAccountId' = $1::uuid::text
      and (payload::text ~* $2 or last_error ~* $2 or payload ->> 'contactId' = any($3::text[]))
    order by id for update
  ), deleted as (
    delete from ${JOBS} j using its where j.id = its.id and its.is_about returning j.id
  ), replaced as (
    update ${JOBS} j set last_error = regexp_replace(j.last_error, $2, $4, 'gi')
    from its where j.id = its.id and its.is_about is not true and j.last_error ~* $2 returning j.id
  )
  select (select count(*)::int from deleted) as deleted, (select count(*)::int from replaced) as replaced`;
