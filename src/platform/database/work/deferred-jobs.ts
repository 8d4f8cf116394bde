import type { Job, JobKey } from '#core/job-type.ts';
import type { JobTime } from '#core/work.ts';
import type { Write } from './deferred-writes.ts';

/** A job that a use case has queued for its end. */
export interface DeferredJob {
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  readonly runAt: Date | undefined;
  readonly waitMs: number | undefined;
  readonly maxAttempts: number;
  readonly key: string | undefined;
  readonly isWakeUp: boolean;
}

export const deferredJob = <T extends object>(
  { name, maxAttempts, isWakeUp = false }: Job<T>,
  payload: T,
  { runAt, waitMs, key }: JobTime & { readonly key?: JobKey },
): DeferredJob => ({
  name,
  payload: JSON.stringify(payload),
  runAt,
  waitMs,
  maxAttempts,
  key,
  isWakeUp,
});

/** From this number on, jobs of one kind are queued by one statement; thousands would take minutes. */
const MANY = 20;

/** Returns the writes in the order of the jobs' keys: two changes that queue the same jobs do not deadlock. */
export function writesOfJobs(jobs: readonly DeferredJob[]): Write[] {
  const ordered = jobs.toSorted((one, other) => compare(one.key ?? '', other.key ?? ''));
  return runsOf(ordered).flatMap((run) =>
    run.length < MANY ? run.map(writeOf) : [writeOfMany(run)],
  );
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Divides jobs into runs that one statement can queue. */
function runsOf(jobs: readonly DeferredJob[]): DeferredJob[][] {
  const runs: DeferredJob[][] = [];
  for (const job of jobs) {
    const run = runs.at(-1);
    const first = run?.[0];
    if (first && isAlike(first, job)) {
      run.push(job);
    } else {
      runs.push([job]);
    }
  }
  return runs;
}

const isAlike = (one: DeferredJob, other: DeferredJob): boolean =>
  one.name === other.name &&
  one.maxAttempts === other.maxAttempts &&
  [one, other].every(
    ({ key, runAt, waitMs }) => key !== undefined && runAt === undefined && waitMs === undefined,
  );

const writeOf = ({ name, payload, maxAttempts, isWakeUp, ...job }: DeferredJob): Write => ({
  text: isWakeUp ? WAKE_UP : ADD_JOB,
  values: [name, payload, job.runAt ?? null, maxAttempts, job.key ?? null, job.waitMs ?? null],
});

/** SQL: null for now. Counted from the statement: its transaction may have waited for others. */
const RUN_AT = `greatest($3::timestamptz, statement_timestamp() + $6::float8 * interval '1 ms')`;

const ADD_JOB = `select graphile_worker.add_job($1, $2::json, run_at => ${RUN_AT},
  max_attempts => $4::int, job_key => $5)`;

/** The mode is decided where the jobs meet: the other one may be committed meanwhile. Within a second is now. */
const WAKE_UP = `select graphile_worker.add_job($1, $2::json, run_at => ${RUN_AT},
  max_attempts => $4::int, job_key => $5, job_key_mode =>
    case when ${RUN_AT} > statement_timestamp() + interval '1 s' then 'preserve_run_at' else 'replace' end)`;

/** The last job of a key replaces the others, as if they were queued one after another. */
function writeOfMany(run: readonly DeferredJob[]): Write {
  const jobs = [...new Map(run.map((job) => [job.key, job])).values()];
  const [first] = jobs;
  return {
    text: QUEUE_JOBS,
    values: [
      first?.name,
      jobs.map(({ key }) => key),
      jobs.map(({ payload }) => payload),
      first?.maxAttempts,
    ],
  };
}

const QUEUE_JOBS = `select queue_jobs(array_fill($1::text, array[cardinality($2::text[])]), $2::text[],
  $3::text[]::json[], $4::int)`;
