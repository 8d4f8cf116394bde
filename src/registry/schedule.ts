import type { Scheduled } from '#platform/worker.ts';
import { askAllExternal } from '../calendars/external/external.jobs.ts';
import { askAllUnderway } from '../conversations/conversations.jobs.ts';
import { housekeeping } from '../operations/housekeeping.ts';

/** Jobs that come by the clock: one at each time, however many workers run. */
export const schedule: readonly Scheduled[] = [
  { job: housekeeping, at: '*/5 * * * *' },
  { job: askAllExternal, at: '*/5 * * * *' },
  { job: askAllUnderway, at: '*/5 * * * *' },
];
