import type { Scheduled } from '#platform/queue/schedule.ts';
import { fetchAllExternal } from '../calendars/external/external.jobs.ts';
import { dispatchCampaigns } from '../campaigns/campaigns.jobs.ts';
import { fetchAllStatuses } from '../conversations/conversations.jobs.ts';
import { housekeeping } from '../operations/housekeeping.ts';

/** All periodic jobs. */
export const schedule: readonly Scheduled[] = [
  { job: housekeeping, cron: '*/5 * * * *' },
  { job: fetchAllExternal, cron: '*/5 * * * *' },
  { job: fetchAllStatuses, cron: '*/5 * * * *' },
  { job: dispatchCampaigns, cron: '*/2 * * * * *' },
];
