import { WORKER_LOCKS } from '#platform/queue/recover-jobs.ts';
import { readPause } from '#platform/queue/pause.ts';
import { seenWithin } from '#platform/process/heartbeats.ts';
import { stalledLanes, type LaneStates } from '#platform/queue/lanes.ts';
import { ok, warn, type Check } from '../check.ts';

/** Checks that a worker runs: a running worker has an advisory lock per lane. */
export const workers: Check = {
  name: 'workers',
  async examine({ rows, nothingRuns }) {
    const { heldSince, reason } = await readPause({ rows });
    if (heldSince) {
      return warn(
        `workers are paused since ${heldSince.toISOString()}: ${reason}`,
        'check the installation, then run frontdesk admin release',
      );
    }
    const locks = await rows(
      `select from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
         and granted and database = (select oid from pg_database where datname = current_database())`,
      [WORKER_LOCKS],
    );
    if (locks.length === 0) {
      return warn('no worker is running: nothing is sent', nothingRuns ?? 'start frontdesk worker');
    }
    const processes = await rows<Process>(PROCESSES);
    const stalled = processes.flatMap(({ host, pid, lanes }) =>
      stalledLanes(lanes ?? {}).map((lane) => `${lane} of ${host}:${pid}`),
    );
    return stalled.length === 0
      ? ok('running')
      : warn(
          `stalled lanes, which fetch no jobs: ${stalled.join(', ')}`,
          'lanes restart automatically within 15 s; if they do not, restart frontdesk worker',
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
  where ${seenWithin('45 s')} order by host, pid`;
