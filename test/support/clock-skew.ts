import { expect } from 'vitest';
import { HOUR_MS } from '#lib/duration.ts';
import type { Database } from '#platform/database/database.ts';

/** Clocks of processes whose database has the right time. */
export const SKEWS = [
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
] as const;

export const skewed = (ms: number) => (): Date => new Date(Date.now() + ms);

interface Service {
  readonly database: Pick<Database, 'rows'>;
}

/** Returns the database's time in epoch milliseconds. */
export async function databaseNow({ database }: Service): Promise<number> {
  const [row] = await database.rows<{ now: Date }>('select clock_timestamp() as now', []);
  return row!.now.getTime();
}

/** Expects a time that is this wait after a moment since `since`, by the database's clock. */
export async function expectWait(
  service: Service,
  time: Date | null | undefined,
  { since, waitMs, atMostMs = waitMs }: { since: number; waitMs: number; atMostMs?: number },
): Promise<void> {
  expect(time?.getTime()).toBeGreaterThanOrEqual(since + waitMs);
  expect(time?.getTime()).toBeLessThanOrEqual((await databaseNow(service)) + atMostMs);
}
