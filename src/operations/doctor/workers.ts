import { WORKER_LOCKS } from '#platform/queue/recover-jobs.ts';
import { readPause } from '#platform/queue/pause.ts';
import { stalledLanes, type LaneStates } from '#platform/queue/lanes.ts';
import { ok, warn, type Check } from './check.ts';

/** A worker that is at work shows it by a lock for each of its lanes. */
export const workers: Check = {
  name: 'workers',
  async examine({ rows }) {
    const { heldSince, reason } = await readPause({ rows });
    if (heldSince) {
      return warn(
        `workers are held since ${heldSince.toISOString()}: ${reason}`,
        'look around, then run frontdesk admin release',
      );
    }
    const locks = await rows(
      `select from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
         and granted and database = (select oid from pg_database where datname = current_database())`,
      [WORKER_LOCKS],
    );
    if (locks.length === 0) {
      return warn('no worker is at work: nothing is sent', 'start frontdesk worker');
    }
    const processes = await rows<Process>(PROCESSES);
    const stalled = processes.flatMap(({ host, pid, lanes }) =>
      stalledLanes(lanes ?? {}).map((lane) => `${lane} of ${host}:${pid}`),
    );
    return stalled.length === 0
      ? ok('at work')
      : warn(
          `lanes fetch no jobs: ${stalled.join(', ')}`,
          'they restart by themselves within 15 s; where they do not, restart frontdesk worker',
        );
  },
};

interface Process {
  readonly host: string;
  readonly pid: number;
  readonly lanes: LaneStates | null;
}

/** Processes report every ten seconds. */
const PROCESSES = `select host, pid, figures -> 'lanes' as lanes from processes
  where seen_at > now() - interval '45 s' order by host, pid`;
