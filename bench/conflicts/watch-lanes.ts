import type { Client } from 'pg';
import { jobHandlers } from '#registry/job-handlers.ts';
import {
  BULK_JOBS_AT_ONCE,
  IMPORTS_AT_ONCE,
  JOBS_AT_ONCE,
  MAIL_JOBS_AT_ONCE,
  PEER_JOBS_AT_ONCE,
} from '../../src/commands/server/start-jobs.ts';

const LOOK_EVERY_MS = 200;
/** Concurrent jobs by lane: a full lane is busy, not stalled. */
const PLACES: Readonly<Record<string, number>> = {
  default: JOBS_AT_ONCE,
  peers: PEER_JOBS_AT_ONCE,
  bulk: BULK_JOBS_AT_ONCE,
  mail: MAIL_JOBS_AT_ONCE,
  imports: IMPORTS_AT_ONCE,
};

export interface Stalls {
  /** By lane, the longest time for which a due job was not fetched although places were free. */
  longestMs(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Checks whether each lane fetches its oldest due job. */
export function watchLanes(sql: Client): Stalls {
  const laneOf = new Map(jobHandlers.map(({ job }) => [job.name, job.lane ?? 'default']));
  const heads = new Map<string, { readonly id: string; readonly since: number }>();
  const longest: Record<string, number> = {};
  const tasks = [...laneOf.keys()];
  const lanes = [...laneOf.values()];
  const stopping = new AbortController();
  const look = async () => {
    const { rows } = await sql.query<{ lane: string; head: string | null; running: number }>(
      HEADS,
      [tasks, lanes],
    );
    const now = performance.now();
    for (const lane of new Set(lanes)) {
      const { head: id, running = 0 } = rows.find((row) => row.lane === lane) ?? {};
      const head = heads.get(lane);
      if (!id || running >= (PLACES[lane] ?? 0)) {
        heads.delete(lane);
      } else if (head?.id === id) {
        longest[lane] = Math.max(longest[lane] ?? 0, now - head.since);
      } else {
        heads.set(lane, { id, since: now });
      }
    }
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  return {
    longestMs: () => longest,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

const HEADS = `select kind.lane, count(*) filter (where j.locked_at is not null)::int as running,
    (array_agg(j.id::text order by j.priority, j.run_at, j.id) filter (
      where j.locked_at is null and j.run_at <= now() and j.attempts < j.max_attempts
    ))[1] as head
  from unnest($1::text[], $2::text[]) as kind (task, lane)
  join graphile_worker._private_tasks t on t.identifier = kind.task
  join graphile_worker._private_jobs j on j.task_id = t.id
  group by kind.lane`;
