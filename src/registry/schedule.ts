import type { Scheduled } from '#platform/queue/schedule.ts';
import { checkWaiting } from '../booking/waiting/waiting.jobs.ts';
import { fetchAllExternal } from '../calendars/external/external.jobs.ts';
import { dispatchCampaigns } from '../campaigns/campaigns.jobs.ts';
import { scoreContacts } from '../contacts/engagement/score-contacts.ts';
import { fetchAllStatuses, openSnoozed } from '../conversations/conversations.jobs.ts';
import { removeFiles } from '../files/files.jobs.ts';
import { housekeeping } from '../operations/housekeeping.ts';
import { endLongWaits } from '../webhooks/deliveries/webhooks.jobs.ts';

/** All periodic jobs. */
export const schedule: readonly Scheduled[] = [
  { job: housekeeping, cron: '*/5 * * * *' },
  { job: endLongWaits, cron: '*/5 * * * *' },
  { job: removeFiles, cron: '* * * * *' },
  { job: fetchAllExternal, cron: '*/5 * * * *' },
  { job: checkWaiting, cron: '*/5 * * * *' },
  { job: fetchAllStatuses, cron: '*/5 * * * *' },
  { job: scoreContacts, cron: '*/15 * * * * *' },
  { job: openSnoozed, cron: '*/2 * * * * *' },
  { job: dispatchCampaigns, cron: '*/2 * * * * *' },
];
