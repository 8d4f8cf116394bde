import { hostname } from 'node:os';
import type { View } from '#core/work.ts';
import { pidNamespace, processStart } from '#platform/process/process-lock.ts';
import { seenWithin } from '#platform/process/heartbeats.ts';
import type { LaneStates } from '#platform/queue/lanes.ts';
import { noneOnStandby } from './process-metrics.ts';
import { queueStatus } from './queue-status.ts';

interface ProcessStatus {
  readonly kind: string;
  readonly host: string;
  readonly pid: number;
  /** Null for a process of an older release. */
  readonly uptimeSeconds: number | null;
  readonly lanes: LaneStates;
  /** Whether it ended without removing its entry, as after `kill -9`. Known of processes here only. */
  readonly hasDied: boolean;
}

export interface OperationStatus {
  /** The processes that reported within 45 seconds. */
  readonly processes: readonly ProcessStatus[];
  readonly queue: { readonly depth: number; readonly failing: number };
  readonly events: { readonly unpublished: number; readonly oldest: string | null };
}

type Rows = Pick<View, 'rows'>;

/** Returns the processes, the queue and the unpublished events of the installation. */
export async function operationStatus(view: Rows): Promise<OperationStatus> {
  const [processes, { depth, failing }, { unpublished, since }] = await Promise.all([
    processesOf(view),
    queueStatus(view),
    oldestUnpublished(view),
  ]);
  return {
    processes,
    queue: { depth, failing },
    events: { unpublished, oldest: since?.toISOString() ?? null },
  };
}

interface ReportedProcess extends Omit<ProcessStatus, 'hasDied'> {
  readonly namespace: string | null;
}

/** Returns the processes that reported within 45 seconds. */
export async function processesOf(view: Rows): Promise<readonly ProcessStatus[]> {
  const rows = await view.rows<ReportedProcess>(PROCESSES, []).catch(noneOnStandby);
  const here = await pidNamespace();
  return Promise.all(
    rows.map(async ({ namespace, ...row }) => {
      const isHere = row.host === hostname() && here !== undefined && namespace === here;
      return { ...row, hasDied: isHere && (await processStart(row.pid)) === undefined };
    }),
  );
}

const PROCESSES = `
  select kind, host, pid, (figures ->> 'uptimeSeconds')::float8 as "uptimeSeconds",
    coalesce(figures -> 'lanes', '{}') as lanes, figures ->> 'pidNamespace' as namespace
  from processes where ${seenWithin('45 s')} order by kind, host, pid`;

/** Returns how many events wait to be published, and since when the oldest does. */
export async function oldestUnpublished({
  rows,
}: Rows): Promise<{ readonly unpublished: number; readonly since: Date | null }> {
  const [found] = await rows<{ unpublished: number; since: Date | null }>(UNPUBLISHED, []);
  return found ?? { unpublished: 0, since: null };
}

const UNPUBLISHED = 'select count(*)::int as unpublished, min(occurred_at) as since from outbox';
