import type { Scheduled } from '#platform/worker.ts';
import { housekeeping } from '../operations/housekeeping.ts';

/** Jobs that come by the clock: one at each time, however many workers run. */
export const schedule: readonly Scheduled[] = [{ job: housekeeping, at: '*/5 * * * *' }];
