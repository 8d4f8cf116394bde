import type { RateStore } from '../rate-store.ts';

/** For a pool that prepares statements by name; the only text this store ever sends. */
export const SPEND_RATES = {
  name: 'spend_rates',
  text: 'select * from spend_rates($1, $2, $3, $4)',
} as const;

/** Answers with rows; `values` are JavaScript values as `pg` takes them. */
export type Query = (text: string, values: unknown[]) => Promise<{ readonly rows: any[] }>;

interface SpentRow {
  readonly bucket: string;
  readonly granted: number;
  readonly remaining: number;
  readonly resets_at: number;
}

/** Counts in the table `rate_windows`, by the database's clock. Its errors are passed on. */
export function openPostgresStore(query: Query): RateStore {
  return {
    async consumeMany(consumptions) {
      const { rows } = await query(SPEND_RATES.text, [
        consumptions.map(({ bucket }) => bucket),
        consumptions.map(({ cost }) => cost),
        consumptions.map(({ limit }) => limit),
        consumptions.map(({ windowMs }) => windowMs),
      ]);
      // The function spends in an order of its own.
      const byBucket = new Map(rows.map((row: SpentRow) => [row.bucket, row]));
      return consumptions.map(({ bucket }) => spentOf(byBucket.get(bucket)));
    },
    async close() {},
  };
}

function spentOf(row: SpentRow | undefined) {
  if (!row) {
    throw new Error('spend_rates gave no row for a bucket');
  }
  return { granted: row.granted, remaining: row.remaining, resetsAt: row.resets_at };
}
