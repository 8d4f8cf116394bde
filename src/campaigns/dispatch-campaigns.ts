import { handle } from '#core/job.ts';
import { AGENCY } from '#lib/id.ts';
import { dispatchCampaigns } from './campaigns.jobs.ts';
import { wakeMailing } from './delivery/wake-mailing.ts';
import { dispatchDue } from './dispatch-due.ts';

/** Never fails: the database says what is due, and the next tick tries again. */
export const handleDispatchCampaigns = handle(
  dispatchCampaigns,
  async (_, { openView, clock, transact, actor, signal, log }) => {
    const tools = { database: openView(AGENCY, clock()), transact };
    try {
      await wakeMailing(tools);
      const started = await dispatchDue(tools, actor, signal);
      if (started.length > 0) {
        log.info({ campaigns: started.length }, 'campaigns were due');
      }
    } catch (error) {
      log.warn({ err: error }, 'campaigns not looked for; trying again');
    }
  },
);
