import { readdir } from 'node:fs/promises';
import type { Client } from 'pg';
import { residentMb } from '../machine.ts';

/** The state of one process. */
interface OfProcess {
  readonly residentMb: number;
  readonly descriptors: number;
}

export interface Sample {
  /** Since the load began. */
  readonly minutes: number;
  readonly serve: OfProcess;
  readonly worker: OfProcess;
  readonly heapMb: number;
  readonly lagMs: number;
  readonly connections: number;
  readonly databaseMb: number;
  readonly queueDepth: number;
  readonly outbox: number;
}

interface Watched {
  readonly sql: Client;
  readonly url: string;
  readonly servePid: number;
  readonly workerPid: number;
  readonly startedAt: number;
}

export async function takeSample(watched: Watched): Promise<Sample> {
  const { sql, url, servePid, workerPid, startedAt } = watched;
  const [text, { rows }, serve, worker] = await Promise.all([
    fetch(`${url}/metrics`).then((answer) => answer.text()),
    sql.query<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity
       where application_name like 'frontdesk%'`,
    ),
    ofProcess(servePid),
    ofProcess(workerPid),
  ]);
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    minutes: (performance.now() - startedAt) / 60_000,
    serve,
    worker,
    heapMb: valueOf('nodejs_heap_size_used_bytes') / 1e6,
    lagMs: valueOf('frontdesk_event_loop_lag_seconds') * 1_000,
    connections: rows[0]?.connections ?? 0,
    databaseMb: valueOf('frontdesk_database_size_bytes') / 1e6,
    queueDepth: valueOf('frontdesk_queue_depth'),
    outbox: valueOf('frontdesk_outbox_events'),
  };
}

async function ofProcess(pid: number): Promise<OfProcess> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return { residentMb: (await residentMb(pid)) ?? 0, descriptors: descriptors.length };
}
