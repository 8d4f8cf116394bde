import type { RateStore } from '#core/rate-limit.ts';

/** The prepared statement of this store. Hot (bench: get-contact, create-contact), hence SQL. */
export const SPEND_RATES = {
  name: 'spend_rates',
  text: 'select * from spend_rates($1, $2, $3, $4)',
} as const;

/** Runs a statement; `values` are JavaScript values that `pg` accepts. */
export type Query = (text: string, values: unknown[]) => Promise<{ readonly rows: any[] }>;

interface SpentRow {
  readonly bucket: string;
  readonly granted: number;
  readonly remaining: number;
  readonly resets_at: number;
}

/** Counts in the table `rate_windows`, by the database's clock. Rejects with its errors. */
export function openPostgresStore(query: Query): RateStore {
  return {
    async consumeMany(consumptions) {
      const { rows } = await query(SPEND_RATES.text, [
        consumptions.map(({ bucket }) => bucket),
        consumptions.map(({ cost }) => cost),
        consumptions.map(({ limit }) => limit),
        consumptions.map(({ windowMs }) => windowMs),
      ]);
      // The function consumes in an order of its own, to avoid deadlocks.
      const byBucket = new Map(rows.map((row: SpentRow) => [row.bucket, row]));
      return consumptions.map(({ bucket }) => spentOf(byBucket.get(bucket)));
    },
    async close() {},
  };
}

function spentOf(row: SpentRow | undefined) {
  if (!row) {
    throw new Error('spend_rates returned no row for a bucket');
  }
  return { granted: row.granted, remaining: row.remaining, resetsAt: row.resets_at };
}

/** Deletes 10,000 expired windows; repeat while `rowCount` is 10,000. Skips locked rows. */
export const PRUNE_RATE_WINDOWS = {
  name: 'prune_rate_windows',
  text: `
delete from rate_windows where bucket in (
  select bucket from rate_windows where resets_at <= clock_timestamp()
  limit 10000 for update skip locked)`,
} as const;
