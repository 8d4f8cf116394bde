import type { Ground } from './ground.ts';
import { percentile } from './statistics.ts';

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the result: a figure of the product and its bound. */
export interface Finding {
  readonly what: string;
  readonly unit: 'requests/s' | 'deliveries/s' | 'mails/s' | 'rows/s' | 'ms' | 'kB' | 'MB';
  /** The same work without the product, if that is possible. */
  readonly bare?: number;
  readonly product: number;
  /** Median of the pairwise ratios. The bound applies to it if given, otherwise to `product`. */
  readonly ratio?: number;
  readonly bound?: Bound;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

export type Result = readonly Finding[] | { readonly failed: string };

/** One file each, listed in scenarios.ts. May add rows to the database, but removes none. */
export interface Scenario<G = Ground> {
  readonly name: string;
  readonly measure: (ground: G) => Promise<Result>;
}

export const isFindings = (result: Result): result is readonly Finding[] => Array.isArray(result);

/** A figure that is not a number was not measured. */
export const isKept = ({ ratio, product, bound }: Finding): boolean => {
  const figure = ratio ?? product;
  return (
    Number.isFinite(figure) &&
    (!bound || ('atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost))
  );
};

interface LatencyOptions {
  readonly name: string;
  readonly what: string;
  readonly atMostMs: number;
  /** Returns the measured times in milliseconds. Its processes end with `ground.resources`. */
  readonly timesOf: (ground: Ground) => Promise<readonly number[]>;
}

/** A scenario that measures how long something takes; the bound applies to the 95th percentile. */
export const latencyScenario = ({ name, what, atMostMs, timesOf }: LatencyOptions): Scenario => ({
  name,
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      const times = await timesOf({ ...ground, resources });
      return [
        {
          what,
          unit: 'ms',
          product: percentile(times, 95),
          bound: { atMost: atMostMs },
          p50Ms: percentile(times, 50),
          p99Ms: percentile(times, 99),
        },
      ];
    } finally {
      await resources.disposeAsync();
    }
  },
});
