import type { Scheduled } from '#platform/queue/worker.ts';
import { fetchAllExternal } from '../calendars/external/external.jobs.ts';
import { fetchAllStatuses } from '../conversations/conversations.jobs.ts';
import { housekeeping } from '../operations/housekeeping.ts';

/** Jobs that come by the clock: one at each time, however many workers run. */
export const schedule: readonly Scheduled[] = [
  { job: housekeeping, at: '*/5 * * * *' },
  { job: fetchAllExternal, at: '*/5 * * * *' },
  { job: fetchAllStatuses, at: '*/5 * * * *' },
];
