import { defineJob } from '#core/job.ts';
import * as s from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';

/** Starts the campaigns that are due. */
export const dispatchCampaigns = defineJob({
  name: 'campaigns/dispatch',
  payload: s.request({}),
  maxAttempts: 1,
});

/** Mails for the campaigns of one sub-account for a while. */
export const mailCampaigns = defineJob({
  name: 'campaigns/mail',
  payload: s.request({ subAccountId: s.uuid() }),
  maxAttempts: 25,
  lane: 'bulk',
});

/** Queues the job of the work's sub-account for `runAt`, or now; a queued job is not doubled. */
export function queueMailing(work: Work, runAt?: Date): void {
  const { subAccountId } = work;
  const key = `${mailCampaigns.name}:${subAccountId}`;
  work.enqueue(mailCampaigns, { subAccountId }, { key, ...(runAt && { runAt }) });
}
