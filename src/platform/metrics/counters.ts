import type { Metric, Sample } from './exposition.ts';

/** Upper bounds of the buckets, in milliseconds; the last bucket takes the rest. */
const EDGES_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** Clients can invent methods; each would be a permanent series. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
const OTHER = 'other';

/** The requests of a route since the process started. */
interface Seen {
  /** By method, then status. */
  readonly counts: Map<string, Map<number, { times: number }>>;
  readonly buckets: Float64Array;
  sumMs: number;
  times: number;
}

const routes = new Map<string, Seen>();

/** What this process has done since it started. */
export interface Totals {
  readonly requests: number;
  /** Responses with a status from 500. */
  readonly errors: number;
  readonly latencySumMs: number;
  /** Attempts to deliver webhooks. */
  readonly deliveries: number;
}

const counted = { requests: 0, errors: 0, latencySumMs: 0, deliveries: 0 };

export const totals = (): Totals => ({ ...counted });

/** Counts an attempt to deliver a webhook. */
export function observeDelivery(): void {
  counted.deliveries += 1;
}

/** Counts a response of this process. */
export function observeRequest(
  { method, route }: { readonly method: string; readonly route: string },
  status: number,
  ms: number,
): void {
  counted.requests += 1;
  counted.errors += status >= 500 ? 1 : 0;
  counted.latencySumMs += ms;
  const seen = routes.get(route) ?? firstOf(route);
  const byStatus = of(seen.counts, METHODS.has(method) ? method : OTHER, newMap);
  of(byStatus, status, newCount).times += 1;
  seen.times += 1;
  seen.sumMs += ms;
  let bucket = 0;
  while (bucket < EDGES_MS.length && ms > (EDGES_MS[bucket] as number)) {
    bucket += 1;
  }
  seen.buckets[bucket] = (seen.buckets[bucket] ?? 0) + 1;
}

export const requestMetrics = (): readonly Metric[] => [
  {
    name: 'frontdesk_http_requests_total',
    type: 'counter',
    help: 'Responses by route, method and status.',
    samples: [...routes].flatMap(([route, { counts }]) => countsOf(route, counts)),
  },
  {
    name: 'frontdesk_http_request_duration_seconds',
    type: 'histogram',
    help: 'Time to the response, by route.',
    samples: [...routes].flatMap(([route, seen]) => histogramOf(route, seen)),
  },
];

function firstOf(route: string): Seen {
  const buckets = new Float64Array(EDGES_MS.length + 1);
  const seen = { counts: new Map(), buckets, sumMs: 0, times: 0 };
  routes.set(route, seen);
  return seen;
}

function of<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  map.set(key, made);
  return made;
}

const newMap = () => new Map<number, { times: number }>();
const newCount = () => ({ times: 0 });

const countsOf = (route: string, counts: Seen['counts']): Sample[] =>
  [...counts].flatMap(([method, byStatus]) =>
    [...byStatus].map(([status, { times }]) => ({
      labels: { method, route, status },
      value: times,
    })),
  );

function histogramOf(route: string, { buckets, sumMs, times }: Seen): Sample[] {
  let below = 0;
  const edges = EDGES_MS.map((edge, index) => {
    below += buckets[index] ?? 0;
    return { suffix: '_bucket', labels: { route, le: edge / 1_000 }, value: below };
  });
  return [
    ...edges,
    { suffix: '_bucket', labels: { route, le: '+Inf' }, value: times },
    { suffix: '_sum', labels: { route }, value: sumMs / 1_000 },
    { suffix: '_count', labels: { route }, value: times },
  ];
}

/** The jobs of one name that this process has run. */
export interface JobFigures {
  done: number;
  failed: number;
  seconds: number;
}

const byName = new Map<string, JobFigures>();

/** Counts a job that ended in this process. */
export function observeJob(name: string, outcome: 'done' | 'failed', ms: number): void {
  const figures = byName.get(name) ?? { done: 0, failed: 0, seconds: 0 };
  byName.set(name, figures);
  figures[outcome] += 1;
  figures.seconds += ms / 1_000;
}

export const jobFigures = (): Readonly<Record<string, JobFigures>> => Object.fromEntries(byName);
