import type { JobContext } from '#core/job.ts';
import type { Service } from '../../src/commands/server/open-service.ts';
import { handleHousekeeping } from '../../src/operations/housekeeping.ts';

/** Runs the housekeeping job once. Returns the number of rows that each of its statements changed. */
export async function keepHouse(
  service: Service,
  { clock = service.clock }: Partial<Pick<JobContext, 'clock'>> = {},
): Promise<readonly number[]> {
  const counts: number[] = [];
  const execute = async (text: string, values: readonly unknown[] = []) => {
    const { rowCount } = await service.database.pool.query(text, [...values]);
    counts.push(rowCount ?? 0);
    return rowCount ?? 0;
  };
  const { signal } = new AbortController();
  await handleHousekeeping.handle({}, { execute, clock, signal } as unknown as JobContext);
  return counts;
}
