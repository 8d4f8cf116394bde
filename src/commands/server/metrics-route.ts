import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { Fault } from '#core/fault.ts';
import type { Environment } from '#platform/config/environment.ts';
import type { Database } from '#platform/database/database.ts';
import type { PlainRoute } from '#platform/http/app.ts';
import { exposition, gauge, type Metric } from '#platform/metrics/exposition.ts';
import { watchProcess } from '#platform/metrics/process.ts';
import { requestMetrics } from '#platform/metrics/counters.ts';
import { lastBackup } from '../../backup/backup-folder.ts';
import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { installationMetrics } from '../../operations/installation-metrics.ts';
import { NODE_UP, nodeMetrics } from '../../operations/node-metrics.ts';
import { version } from '#platform/process/version.ts';

/** Metrics of the installation are cached this long: they query the database. */
const CACHE_MS = 2_000;

/** The endpoint for Prometheus: metrics of this process, and of the installation if the database responds. */
export function metricsRoute(
  database: Database,
  { metricsToken: token, backupDir }: Pick<Environment, 'metricsToken' | 'backupDir'>,
): PlainRoute {
  const processMetrics = watchProcess(version());
  let cached: { readonly at: number; readonly metrics: Promise<readonly Metric[]> } | undefined;
  const shared = () => {
    if (!cached || performance.now() - cached.at > CACHE_MS) {
      cached = { at: performance.now(), metrics: fromDatabase(database) };
    }
    return cached.metrics;
  };
  return {
    path: '/metrics',
    async answer(request) {
      requireReader(request, token);
      const metrics = [
        ...processMetrics(),
        ...requestMetrics(),
        poolMetric(database),
        await backupMetric(backupDir),
        ...(await shared()),
      ];
      return { status: 200, text: '', document: { type: TYPE, body: exposition(metrics) } };
    },
  };
}

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const UP = 'frontdesk_database_up';
const UP_HELP = '1 if the database responded, otherwise 0.';

async function fromDatabase({ rows }: Database): Promise<readonly Metric[]> {
  try {
    const view = {
      rows: <T extends object>(text: string, values: readonly unknown[]) => rows<T>(text, values),
    };
    const nodes = await nodeMetrics(rows);
    // While a node of a cluster is down, sums over all sub-accounts are unknown.
    const ofAll = installationMetrics(view, new Date()).catch((error: unknown) =>
      isNodeDown(nodes) && isDatabaseAway(error) ? [] : Promise.reject(error),
    );
    return [gauge(UP, UP_HELP, 1), ...nodes, ...(await ofAll)];
  } catch {
    return [gauge(UP, UP_HELP, 0)];
  }
}

const isNodeDown = (nodes: readonly Metric[]): boolean =>
  nodes.some(({ name, samples }) => name === NODE_UP && samples.some(({ value }) => value === 0));

const poolMetric = ({ pool }: Database): Metric => ({
  name: 'frontdesk_database_connections',
  type: 'gauge',
  help: 'Database connections of this process, and requests waiting for one.',
  samples: [
    { labels: { state: 'open' }, value: pool.totalCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'waiting' }, value: pool.waitingCount },
  ],
});

/** No sample if the folder of scheduled backups is not on this machine. */
async function backupMetric(folder: string): Promise<Metric> {
  const last = await lastBackup(folder, new Date()).catch(() => undefined);
  return {
    name: 'frontdesk_backup_age_seconds',
    type: 'gauge',
    help: 'Age of the last scheduled backup, or of its folder until there is one, in seconds.',
    samples: last === undefined ? [] : [{ value: last.ageSeconds }],
  };
}

/** A proxy on this machine forwards requests from outside, with one of these headers. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;
const LOOPBACK = /^(?:::1$|(?:::ffff:)?127\.)/;

/** Whether a Host header names this machine: a browser tricked by DNS rebinding sends another name. */
function isLocalHost(host = ''): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return LOCAL_NAME.test(name) || name === hostname().toLowerCase();
}

const LOCAL_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function requireReader({ headers, socket }: IncomingMessage, token: string | undefined): void {
  if (token !== undefined) {
    if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) {
      throw new Fault(
        'UNAUTHORIZED',
        'metrics need the header Authorization: Bearer with the FRONTDESK_METRICS_TOKEN',
      );
    }
    return;
  }
  const isForwarded = Object.keys(headers).some((name) => FORWARDING.test(name));
  const isLocal = LOOPBACK.test(socket.remoteAddress ?? '') && isLocalHost(headers.host);
  if (isForwarded || !isLocal) {
    throw new Fault(
      'FORBIDDEN',
      'metrics are available on this machine only; set FRONTDESK_METRICS_TOKEN to read them from elsewhere',
    );
  }
}

/** Compares hashes: the time reveals neither length nor content. */
const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
