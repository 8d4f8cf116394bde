import { handle } from '#core/job.ts';
import { AGENCY } from '#lib/id.ts';
import { dispatchCampaigns } from './campaigns.jobs.ts';
import { queueAbandonedMailing } from './delivery/wake-mailing.ts';
import { dispatchDue } from './dispatch-due.ts';

/** Never fails: the next tick tries again whatever is still due. */
export const handleDispatchCampaigns = handle(
  dispatchCampaigns,
  async (_, { openView, clock, transact, actor, signal, log }) => {
    const tools = { database: openView(AGENCY, clock()), transact };
    try {
      await queueAbandonedMailing(tools);
      const started = await dispatchDue(tools, actor, signal);
      if (started.length > 0) {
        log.info({ campaigns: started.length }, 'due campaigns started or held');
      }
    } catch (error) {
      log.warn({ err: error }, 'due campaigns not started; trying again');
    }
  },
);
