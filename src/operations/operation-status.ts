import type { View } from '#core/work.ts';
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
    view.rows<ProcessStatus>(PROCESSES, []).catch(noneOnStandby),
    queueStatus(view),
    oldestUnpublished(view),
  ]);
  return {
    processes,
    queue: { depth, failing },
    events: { unpublished, oldest: since?.toISOString() ?? null },
  };
}

const PROCESSES = `
  select kind, host, pid, (figures ->> 'uptimeSeconds')::float8 as "uptimeSeconds",
    coalesce(figures -> 'lanes', '{}') as lanes
  from processes where seen_at > now() - interval '45 s' order by kind, host, pid`;

/** Returns how many events wait to be published, and since when the oldest does. */
export async function oldestUnpublished({
  rows,
}: Rows): Promise<{ readonly unpublished: number; readonly since: Date | null }> {
  const [found] = await rows<{ unpublished: number; since: Date | null }>(UNPUBLISHED, []);
  return found ?? { unpublished: 0, since: null };
}

const UNPUBLISHED = 'select count(*)::int as unpublished, min(occurred_at) as since from outbox';
