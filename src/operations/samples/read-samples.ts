import type { View } from '#core/work.ts';
import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import { noneOnStandby } from '../process-metrics.ts';

export const SERIES = ['queueDepth', 'deliveries', 'requests', 'errors', 'latencyMs'] as const;
type SeriesName = (typeof SERIES)[number];

interface Point {
  /** The beginning of the step, in epoch milliseconds. */
  readonly at: number;
  readonly value: number;
}

export type Series = Readonly<Record<SeriesName, readonly Point[]>>;

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
