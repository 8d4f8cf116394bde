export const JOB_COLUMNS = [
  'task',
  'queue',
  'payload',
  'priority',
  'run_at',
  'attempts',
  'max_attempts',
  'last_error',
  'created_at',
  'updated_at',
  'key',
  'flags',
] as const;

/** Whose a job is, of those that are done for one sub-account. */
export const JOB_OWNER = `(j.payload ->> 'subAccountId')`;

/** A job that runs is one that waits, to whoever reads this: its attempt is not known to be done. */
export const copyJobs = (condition: string): string => `copy (
  select t.identifier, q.queue_name, j.payload, j.priority, j.run_at,
    case when j.locked_at is null then j.attempts
      else greatest(0, least(j.attempts, j.max_attempts) - 1) end,
    j.max_attempts, j.last_error, j.created_at, j.updated_at, j.key, j.flags
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where ${condition}
  order by j.id
) to stdout`;

export const STAGED_JOBS = 'staged_jobs';

export const STAGE_JOBS = `create temporary table ${STAGED_JOBS} (
  place bigint generated always as identity, task text, queue text, payload json,
  priority smallint, run_at timestamptz, attempts smallint, max_attempts smallint, last_error text,
  created_at timestamptz, updated_at timestamptz, key text, flags jsonb
) on commit drop`;

export const FORGET_JOBS = `truncate
  graphile_worker._private_jobs, graphile_worker._private_job_queues`;

/** In the order in which they were queued; their numbers are new. */
export const QUEUE_STAGED_JOBS = [
  `insert into graphile_worker._private_tasks (identifier)
   select distinct task from staged_jobs on conflict do nothing`,
  `insert into graphile_worker._private_job_queues (queue_name)
   select distinct queue from staged_jobs where queue is not null on conflict do nothing`,
  `insert into graphile_worker._private_jobs (job_queue_id, task_id, payload, priority, run_at,
     attempts, max_attempts, last_error, created_at, updated_at, key, flags)
   select q.id, t.id, j.payload, j.priority, j.run_at, j.attempts, j.max_attempts, j.last_error,
     j.created_at, j.updated_at, j.key, j.flags
   from staged_jobs j
   join graphile_worker._private_tasks t on t.identifier = j.task
   left join graphile_worker._private_job_queues q on q.queue_name = j.queue
   order by j.place`,
];
