import { MINUTE_MS, DAY_MS } from '#lib/duration.ts';
import type { Database } from '#platform/database/database.ts';
import type { Logger } from '#platform/config/logger.ts';
import { totals, type Totals } from '#platform/metrics/counters.ts';
import { queueStatus } from '../queue-status.ts';
import type { View } from '#core/work.ts';
import { noneOnStandby } from '../process-metrics.ts';

interface SamplerOptions {
  readonly database: Pick<Database, 'rows'>;
  readonly log: Pick<Logger, 'debug'>;
  readonly clock: () => Date;
}

interface Sampler {
  /** Writes what happened since the last sample. */
  sample(): Promise<void>;
  stop(): Promise<void>;
}

/** Writes a row per minute about what this process did. A minute that cannot be written is left out. */
export function startSampler({ database, log, clock }: SamplerOptions): Sampler {
  const processId = crypto.randomUUID();
  let before = totals();
  let writing = Promise.resolve();
  const write = async () => {
    const now = totals();
    const { requests, errors, latencySumMs, deliveries } = difference(now, before);
    before = now;
    const minute = new Date(Math.floor(clock().getTime() / MINUTE_MS) * MINUTE_MS);
    try {
      const { depth } = await queueStatus({
        rows: (text, values) => database.rows(text, values),
      });
      const values = [minute, processId, requests, errors, latencySumMs, deliveries, depth];
      await database.rows(WRITE, values);
    } catch (error) {
      log.debug({ err: error }, 'sample not written');
    }
  };
  const sample = () => (writing = writing.then(write));
  const timer = setInterval(() => void sample(), MINUTE_MS);
  return {
    sample,
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

const difference = (now: Totals, before: Totals): Totals => ({
  requests: now.requests - before.requests,
  errors: now.errors - before.errors,
  latencySumMs: now.latencySumMs - before.latencySumMs,
  deliveries: now.deliveries - before.deliveries,
});

/** Two samples may fall into one minute, because timers drift. */
const WRITE = `insert into process_samples as s
    (minute, process_id, requests, errors, latency_sum_ms, deliveries, queue_depth)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (minute, process_id) do update set requests = s.requests + excluded.requests,
    errors = s.errors + excluded.errors, latency_sum_ms = s.latency_sum_ms + excluded.latency_sum_ms,
    deliveries = s.deliveries + excluded.deliveries,
    queue_depth = greatest(s.queue_depth, excluded.queue_depth)`;

export const SERIES = ['queueDepth', 'deliveries', 'requests', 'errors', 'latencyMs'] as const;
type SeriesName = (typeof SERIES)[number];

interface Point {
  /** The beginning of the step, in epoch milliseconds. */
  readonly at: number;
  readonly value: number;
}

type Series = Readonly<Record<SeriesName, readonly Point[]>>;

interface Range {
  readonly lengthMs: number;
  readonly stepMs: number;
}

export const RANGES = {
  day: { lengthMs: DAY_MS, stepMs: MINUTE_MS },
  week: { lengthMs: 7 * DAY_MS, stepMs: 10 * MINUTE_MS },
} as const satisfies Record<string, Range>;

/** Returns what all processes together did, by step; steps without a sample are left out. */
export async function readSamples(
  view: Pick<View, 'rows' | 'now'>,
  { lengthMs, stepMs }: Range,
): Promise<Series> {
  const since = new Date(view.now.getTime() - lengthMs);
  const rows = await view
    .rows<{ readonly at: number } & Record<SeriesName, number>>(READ, [since, stepMs / 1_000])
    .catch(noneOnStandby);
  return Object.fromEntries(
    SERIES.map((name) => [name, rows.map((row) => ({ at: row.at, value: row[name] }))]),
  ) as unknown as Series;
}

/** The queue is one for all processes: its depth is the largest that one of them saw. */
const READ = `select (extract(epoch from date_bin($2 * interval '1 s', minute, 'epoch')) * 1000)::float8 as at,
    max(queue_depth)::int as "queueDepth", sum(deliveries)::int as deliveries,
    sum(requests)::int as requests, sum(errors)::int as errors,
    round(coalesce(sum(latency_sum_ms) / nullif(sum(requests), 0), 0)::numeric, 1)::float8
      as "latencyMs"
  from process_samples where minute >= $1 group by 1 order by 1`;
